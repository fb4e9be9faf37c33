/// A record that an import rejected, as stored in the table `_reject`.
public struct RejectedRecord: Sendable, Hashable {
    /// The key of its row, which no other reject of the store ever gets; 0 if it is not stored.
    public package(set) var id: Int64 = 0
    /// The run that rejected it.
    public package(set) var run = 0
    /// The entity of its route; nil if it is unknown.
    public package(set) var entity: String?
    /// The record path that matched it.
    public package(set) var at: String?
    /// Its key, if the records are the members of an object.
    public package(set) var key: String?
    /// The name of the member of the record that receives the key.
    public package(set) var keyName: String?
    /// The source.
    public package(set) var file: String?
    /// The position of the error in the source: the byte, from 0.
    public package(set) var byte: Int?
    /// The line, from 1.
    public package(set) var line: Int?
    /// The column in bytes, from 1.
    public package(set) var column: Int?
    /// The number of the record in its source, from 1; nil if the error is not in a record.
    public package(set) var record: Int?
    /// The JSON path of the value.
    public package(set) var path: String?
    /// The stable name of the error, such as `convert.type`.
    public package(set) var code = ""
    /// The message of the error.
    public package(set) var reason = ""
    /// The offset of its first byte in the source.
    public package(set) var start = 0
    /// The number of its bytes in the source.
    public package(set) var length = 0
    /// Its bytes, truncated to the limit of the import.
    public package(set) var raw: [UInt8] = []

    package init() {}

    /// Whether `raw` has only its first bytes.
    public var isTruncated: Bool { raw.count < length }

    // MARK: Columns

    /// The values of its columns, from `run` to `raw`.
    package func columns<Value>(
        number: (Int?) -> Value, text: (String?) -> Value, bytes: ([UInt8]) -> Value
    ) -> [Value] {
        [
            number(run), text(entity), text(at), text(key), text(keyName), text(file), number(byte), number(line),
            number(column), number(record), text(path), text(code), text(reason), number(start), number(length),
            bytes(raw),
        ]
    }

    /// Reads the row of a reject, whose first column is `id`, and whose others are those of `columns`.
    package init(number: (Int) -> Int?, text: (Int) -> String?, bytes: (Int) -> [UInt8]) {
        (id, run) = (Int64(number(0) ?? 0), number(1) ?? 0)
        (entity, at, key, keyName) = (text(2), text(3), text(4), text(5))
        (file, byte, line, column) = (text(6), number(7), number(8), number(9))
        (record, path, code, reason) = (number(10), text(11), text(12) ?? "", text(13) ?? "")
        (start, length, raw) = (number(14) ?? 0, number(15) ?? 0, bytes(16))
    }
}
