/// Reads the values of a row or an index entry in SQLite's record format.
///
/// The record must be one that ``RecordEncoder`` or SQLite has written.
package struct RecordDecoder {
    private var header: UnsafeRawBufferPointer
    private var body: UnsafeRawBufferPointer

    /// A decoder that stands at the first value; text and bytes point into the record.
    package init(_ record: UnsafeRawBufferPointer) {
        var header = record
        let size = header.removeVarint().map { Int(min($0, UInt64(record.count))) } ?? 0
        let start = record.count - header.count
        self.header = UnsafeRawBufferPointer(rebasing: record[start..<max(start, size)])
        body = UnsafeRawBufferPointer(rebasing: record[max(start, size)...])
    }

    /// Whether the types and the sizes in the header of a record are those of its bytes.
    static func isWhole(_ record: UnsafeRawBufferPointer) -> Bool {
        var decoder = RecordDecoder(record)
        var rest = UInt64(decoder.body.count)
        while let type = decoder.header.removeVarint() {
            let size = UInt64(RecordEncoder.size(of: type))
            guard type != 10, type != 11, size <= rest else { return false }
            rest -= size
        }
        return rest == 0 && decoder.header.isEmpty
    }

    /// The next value; nil after the last one.
    package mutating func next() -> SQLCell? {
        guard let type = header.removeVarint() else { return nil }
        let size = RecordEncoder.size(of: type)
        guard size <= body.count else { return nil }
        let bytes = UnsafeRawBufferPointer(rebasing: body[..<size])
        body = UnsafeRawBufferPointer(rebasing: body[size...])
        switch type {
        case 0: return .null
        case 8: return SQLCell(0 as Int64)
        case 9: return SQLCell(1 as Int64)
        case 7: return SQLCell(Double(bitPattern: bytes.number(at: 0, bytes: 8)))
        case 1...6:
            // The sign is that of the first byte.
            let bits = bytes.number(at: 0, bytes: size) << UInt64(64 - 8 * size)
            return SQLCell(Int64(bitPattern: bits) >> Int64(64 - 8 * size))
        default: return type % 2 == 0 ? SQLCell(blob: bytes) : SQLCell(text: bytes)
        }
    }
}
