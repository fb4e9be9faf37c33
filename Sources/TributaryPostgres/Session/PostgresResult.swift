/// The values of fields.
extension PostgresResult {
    /// Whether a field is null.
    package func isNull(_ row: Int, _ column: Int) -> Bool { field(row, column) == nil }

    /// The text of a field; nil if it is null.
    package func text(_ row: Int, _ column: Int) -> String? {
        field(row, column).map { String(decoding: $0, as: UTF8.self) }
    }

    /// The number in a field; nil if it is null or not a whole number.
    package func integer(_ row: Int, _ column: Int) -> Int64? { text(row, column).flatMap { Int64($0) } }

    /// The Boolean in a field; nil if it is null or not a Boolean.
    package func boolean(_ row: Int, _ column: Int) -> Bool? { ["t": true, "f": false][text(row, column) ?? ""] }

    /// The bytes of a `bytea`; nil if the field is null, or a text in another form.
    package func bytes(_ row: Int, _ column: Int) -> [UInt8]? {
        field(row, column).flatMap(PostgresResult.bytes)
    }

    /// The bytes of the text of a `bytea`, as `bytea_output` is `hex`.
    static func bytes(of field: UnsafeRawBufferPointer) -> [UInt8]? {
        guard field.starts(with: "\\x".utf8), field.count % 2 == 0 else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(field.count / 2 - 1)
        for index in stride(from: 2, to: field.count, by: 2) {
            guard let high = digit(field[index]), let low = digit(field[index + 1]) else {
                return nil
            }
            bytes.append(high << 4 | low)
        }
        return bytes
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        default: nil
        }
    }
}
