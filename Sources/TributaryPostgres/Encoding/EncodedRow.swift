import TributaryStore

/// A row as `RowEncoder` writes it: the number of its columns, then their values, which are those of a new row for columns
/// without one, and in that case a bit for each column.
struct EncodedRow {
    /// The row in the binary format of COPY.
    let copied: UnsafeRawBufferPointer
    /// For each column a bit that is set if the row has no value for it; empty if it has all values.
    private let absent: UnsafeRawBufferPointer

    /// A row of a batch.
    @inline(__always)
    init(_ row: Int, of batch: RowBatch) {
        let bytes = batch.packed(row)
        guard batch.entries[row].hasAbsentValues else {
            (copied, absent) = (bytes, UnsafeRawBufferPointer(start: nil, count: 0))
            return
        }
        let end = bytes.count - (batch.width + 7) / 8
        copied = UnsafeRawBufferPointer(rebasing: bytes[..<end])
        absent = UnsafeRawBufferPointer(rebasing: bytes[end...])
    }

    /// Its values, without their number.
    var values: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: copied[2...]) }

    /// Whether it has values for all columns.
    var isWhole: Bool { absent.isEmpty }

    /// Whether it has no value for a column.
    func lacksValue(_ column: Int) -> Bool {
        !absent.isEmpty && absent[column >> 3] & 1 << UInt8(column & 7) != 0
    }

    /// Whether stored bytes are a row of `width` columns, with the bits of absent values or without; nil if they are none.
    static func hasAbsentValues(_ bytes: UnsafeRawBufferPointer, width: Int) -> Bool? {
        func number<Value: FixedWidthInteger & BitwiseCopyable>(_ type: Value.Type, at place: Int) -> Int? {
            guard place + MemoryLayout<Value>.size <= bytes.count else { return nil }
            return Int(Value(bigEndian: bytes.loadUnaligned(fromByteOffset: place, as: type)))
        }
        guard number(Int16.self, at: 0) == width else { return nil }
        var place = 2
        for _ in 0..<width {
            guard let length = number(Int32.self, at: place), length >= -1 else { return nil }
            place += 4 + max(0, length)
        }
        if place == bytes.count { return false }
        return place + (width + 7) / 8 == bytes.count ? true : nil
    }
}
