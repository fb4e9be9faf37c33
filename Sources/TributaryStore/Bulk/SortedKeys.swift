package import TributarySQLite

/// The keys of many records, sorted as the store sorts them, and grouped by equality.
///
///     records   7  2  7  –  5          order    1 4 0 2        (record 3 has none)
///     group     2  0  2  –  1          groups   2 · 5 · 7
package struct SortedKeys {
    /// The attributes of a key.
    package let attributes: [AttributeProperty]
    private let codecs: [AttributeCodec]
    private let storages: [ColumnLayout.Storage]
    /// The columns of `keys`.
    private let columns: [Int]
    /// The keys of the records, with their hashes; a row is incomplete if its record has no key.
    package let keys: RowBatch
    private let cells: RowCells
    /// The values of a single integer attribute, as most keys have; otherwise the array is empty and `numberSlot` is -1.
    ///
    /// This copy serves calls for each of a million records.
    private var numbers: [Int64] = []
    private var numberSlot = -1
    /// For each record the index of its key among the distinct ones; -1 for a record without a key.
    package private(set) var group: [Int32] = []
    /// For each distinct key, in sort order, the index of a record that has it.
    package private(set) var samples: [Int32] = []

    /// No keys yet, of `attributes`.
    package init(_ attributes: [AttributeProperty], capacity: Int = 0) {
        self.init(attributes, RowBatch(width: attributes.count, capacity: capacity * attributes.count * 9))
        keys.reserve(rows: capacity)
    }

    /// Keys of these attributes that are distinct, each a group of its own, in the order of their records: they cannot be
    /// searched for a key.
    package init(_ attributes: [AttributeProperty], distinct keys: RowBatch) {
        self.init(attributes, keys)
        readNumbers()
        for (record, entry) in keys.entries.enumerated() {
            group.append(entry.isIncomplete ? -1 : Int32(truncatingIfNeeded: samples.count))
            if !entry.isIncomplete { samples.append(Int32(truncatingIfNeeded: record)) }
        }
    }

    /// The `keys` of other sorted keys of the same attributes, still to be sorted.
    package init(_ attributes: [AttributeProperty], _ keys: RowBatch) {
        self.attributes = attributes
        self.keys = keys
        codecs = attributes.enumerated().map { AttributeCodec($1, column: $0) }
        storages = attributes.map(\.type.storage)
        columns = Array(attributes.indices)
        cells = RowCells(attributes.count)
    }

    /// The number of distinct keys.
    package var groupCount: Int { samples.count }

    /// Adds the key of the next record; none if it is null.
    package mutating func append(_ value: SQLValue) {
        keys.begin(ordinal: 0)
        add(value, storages[0])
        keys.finish(key: columns, scratch: cells.cells)
    }

    /// Adds the next record, which has no key.
    package mutating func appendNothing() {
        keys.begin(ordinal: 0)
        keys.markIncomplete()
    }

    /// Adds the key of all attributes of the next record; none if one of them is null.
    package mutating func append(_ values: [SQLValue]) {
        keys.begin(ordinal: 0)
        for (value, storage) in zip(values, storages) { add(value, storage) }
        keys.finish(key: columns, scratch: cells.cells)
    }

    /// Adds a value of the record begun last, which has no key if the attribute cannot have the value.
    @inline(__always)
    private func add(_ value: SQLValue, _ storage: ColumnLayout.Storage) {
        keys.add(value)
        switch (value, storage) {
        case (.integer, .integer), (.real, .real), (.text, .text), (.blob, .blob), (.text, .any), (.blob, .any): break
        default: keys.markIncomplete()
        }
    }

    // MARK: Sorting

    private mutating func readNumbers() {
        guard storages == [.integer] else { return }
        numberSlot = attributes[0].slot
        numbers.reserveCapacity(keys.count)
        for record in keys.entries.indices {
            cells.read(record, of: keys)
            numbers.append(cells.cells[0].integer)
        }
    }

    /// Sorts and groups the keys; to be called once, after all keys were added.
    package mutating func sort() {
        readNumbers()
        let order = KeyOrder(of: [keys], by: columns) { !$0.isIncomplete }
        group = Array(repeating: -1, count: keys.count)
        samples = order.ranges.map { Int32(order.places[$0.lowerBound].row) }
        for (number, range) in order.ranges.enumerated() {
            for place in order.places[range] { group[Int(place.row)] = Int32(truncatingIfNeeded: number) }
        }
    }

    // MARK: Rows

    /// The order of the key of a record relative to the key in a row; nil if that has a null value.
    @inline(__always)
    package func order(_ record: Int, _ row: Row) -> Int? {
        if numberSlot >= 0 {
            guard row.kind(numberSlot) == .integer else { return nil }
            let (own, other) = (numbers[record], row.integer(numberSlot))
            return own == other ? 0 : own < other ? -1 : 1
        }
        cells.read(record, of: keys)
        var result = 0
        for (index, attribute) in attributes.enumerated() {
            let order: Int? = attribute.withCell(in: row) { other in
                if other.kind == .null { return nil }
                return cells.cells[index].comes(before: other).map { $0 ? -1 : 1 } ?? 0
            }
            guard let order else { return nil }
            if result == 0 { result = order }
        }
        return result
    }

    /// The group of the key in a row, comparing the group `guess` first; nil if no record has the key.
    package func find(_ row: Row, near guess: Int) -> Int? {
        if samples.indices.contains(guess) {
            guard let order = order(Int(samples[guess]), row) else { return nil }
            if order == 0 { return guess }
        }
        var (low, high) = (0, samples.count)
        while low < high {
            let middle = (low + high) / 2
            guard let order = order(Int(samples[middle]), row) else { return nil }
            if order == 0 { return middle }
            if order < 0 { low = middle + 1 } else { high = middle }
        }
        return nil
    }

    /// The values of the key of a group.
    package func parts(of group: Int) -> [KeyPart] {
        cells.read(Int(samples[group]), of: keys)
        return cells.cells.compactMap { KeyPart($0) }
    }

    /// The values of an attribute in the keys of records.
    package func values(of attribute: Int, in records: some Sequence<Int32>) -> [SQLValue] {
        records.map { record in
            cells.read(Int(record), of: keys)
            return cells.cells[attribute].value
        }
    }

    /// Writes the key of a record to a row.
    @inline(__always)
    package func write(_ record: Int, to row: Row) {
        if numberSlot >= 0 { return row.set(numbers[record], numberSlot) }
        cells.read(record, of: keys)
        for codec in codecs { _ = codec.read(cells, into: row) }
    }

    /// Whether most rows are as far apart as the records that have their keys; `key` returns the key of a group's row,
    /// or 0 if there is none.
    package func areInOrder(_ key: (Int) -> Int64) -> Bool {
        var (count, fits) = (0, 0)
        var last: (record: Int, key: Int64)?
        for (record, group) in group.enumerated() where group >= 0 && samples[Int(group)] == record {
            let key = key(Int(group))
            guard key > 0 else { continue }
            if let last {
                count += 1
                if key - last.key == Int64(record - last.record) { fits += 1 }
            }
            last = (record, key)
        }
        return fits > 8 && fits * 4 >= count * 3
    }

    /// The group of the record after the sample of `group`.
    package func successor(of group: Int) -> Int {
        let next = Int(samples[group]) + 1
        return next < self.group.count ? Int(self.group[next]) : -1
    }

    // MARK: Cells

    /// The order in which the keys are passed to a query.
    package enum Order {
        case ascending, descending
        /// The order of the records, with the index of the record after each key.
        case records
    }

    /// Calls `body` with the cells of the distinct keys, one key after the other, and the number of cells of each key.
    package func withCells<Result>(
        _ wanted: Order, _ body: (UnsafeBufferPointer<SQLCell>, Int) throws -> Result
    ) rethrows -> Result {
        let width = attributes.count + (wanted == .records ? 1 : 0)
        let order: [Int32] =
            switch wanted {
            case .ascending: samples
            case .descending: samples.reversed()
            case .records: samples.sorted()
            }
        let list = UnsafeMutableBufferPointer<SQLCell>.allocate(capacity: order.count * width)
        defer { list.deallocate() }
        for (position, sample) in order.enumerated() {
            let cells = UnsafeMutableBufferPointer(rebasing: list[(position * width)..<((position + 1) * width)])
            keys.read(Int(sample), into: cells)
            if wanted == .records { cells[width - 1] = SQLCell(Int64(sample)) }
        }
        return try body(UnsafeBufferPointer(list), width)
    }
}
