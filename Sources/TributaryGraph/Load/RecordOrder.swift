import TributarySQLite

/// The order of the entries of an index.
enum RecordOrder {
    /// Whether an entry comes before another one, by its columns and then by its row.
    static func comes(_ one: UnsafeRawBufferPointer, before other: UnsafeRawBufferPointer) -> Bool {
        var (left, right) = (RecordDecoder(one), RecordDecoder(other))
        while let value = left.next(), let otherValue = right.next() {
            if let isBefore = value.comes(before: otherValue) { return isBefore }
        }
        return false
    }

    /// Whether both entries have the same values in their first `columns` columns, and none of these is null.
    static func areEqual(_ one: UnsafeRawBufferPointer, _ other: UnsafeRawBufferPointer, columns: Int) -> Bool {
        var (left, right) = (RecordDecoder(one), RecordDecoder(other))
        for _ in 0..<columns {
            guard let value = left.next(), let otherValue = right.next(), value.kind != .null,
                value.comes(before: otherValue) == nil
            else { return false }
        }
        return true
    }
}
