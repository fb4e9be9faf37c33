import TributarySQLite

/// A copy of an entry of an index: the prefix of its order, and its record.
struct IndexEntry {
    private(set) var prefix: UInt64 = 0
    private(set) var record: [UInt8] = []

    /// No entry.
    init() {}

    init(_ prefix: UInt64, _ record: UnsafeRawBufferPointer) { (self.prefix, self.record) = (prefix, Array(record)) }

    mutating func replace(with prefix: UInt64, _ record: UnsafeRawBufferPointer) {
        self.prefix = prefix
        self.record.removeAll(keepingCapacity: true)
        self.record.append(contentsOf: record)
    }

    /// Whether another entry has the same values in the first `columns` columns, none of which is null.
    func isEqual(to prefix: UInt64, _ other: UnsafeRawBufferPointer, columns: Int) -> Bool {
        prefix == self.prefix && !record.isEmpty
            && record.withUnsafeBytes { RecordOrder.areEqual($0, other, columns: columns) }
    }

    func isEqual(to other: IndexEntry, columns: Int) -> Bool {
        other.record.withUnsafeBytes { isEqual(to: other.prefix, $0, columns: columns) }
    }

    /// The key of its row, which is the last value.
    var rowKey: Int64 { record.withUnsafeBytes { IndexEntry.rowKey(of: $0) } }

    static func rowKey(of record: UnsafeRawBufferPointer) -> Int64 {
        var decoder = RecordDecoder(record)
        var last = SQLCell.null
        while let value = decoder.next() { last = value }
        return last.integer
    }

    /// Whether another entry comes before this one.
    func isAfter(_ prefix: UInt64, _ other: UnsafeRawBufferPointer) -> Bool {
        guard prefix == self.prefix else { return prefix < self.prefix }
        return record.withUnsafeBytes { RecordOrder.comes(other, before: $0) }
    }

    /// Whether it comes before another one.
    func comes(before other: IndexEntry) -> Bool { record.withUnsafeBytes { other.isAfter(prefix, $0) } }
}
