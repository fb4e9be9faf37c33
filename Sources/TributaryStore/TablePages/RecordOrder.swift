import Foundation
import TributarySQLite

/// The order of the entries of an index.
enum RecordOrder {
    /// Whether an entry comes before another one, by its columns and then by its row.
    static func comes(_ one: UnsafeRawBufferPointer, before other: UnsafeRawBufferPointer) -> Bool {
        if let left = shortText(one), let right = shortText(other) {
            let order = memcmp(left.start, right.start, min(left.count, right.count))
            if order != 0 { return order < 0 }
            if left.count != right.count { return left.count < right.count }
        }
        var (left, right) = (RecordDecoder(one), RecordDecoder(other))
        while let value = left.next(), let otherValue = right.next() {
            if let isBefore = value.comes(before: otherValue) { return isBefore }
        }
        return false
    }

    /// The first value of an entry, if it is text of less than 58 bytes and so has a type of one byte.
    @inline(__always)
    private static func shortText(_ record: UnsafeRawBufferPointer) -> (start: UnsafeRawPointer, count: Int)? {
        guard record.count > 2, let start = record.baseAddress else { return nil }
        let (header, type) = (Int(record[0]), Int(record[1]))
        guard header < 0x80, type < 0x80, type > 12, type % 2 == 1 else { return nil }
        let count = (type - 13) / 2
        return header + count <= record.count ? (start + header, count) : nil
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
