/// A rejected part of a source: its error, its position, and its bytes.
public struct Reject: Sendable, Hashable {
    /// The error, with its exact position.
    public let error: JSONError
    /// The offset of the first rejected byte.
    public let offset: Int
    /// The number of rejected bytes.
    public let length: Int
    /// The rejected bytes, up to the limit `rejectedBytes`.
    public let raw: [UInt8]
    /// The number of the record in its source, from 1; nil if the rejected part is not a record.
    public var record: Int? { error.record }

    /// The key of the record, if it is a member of an object of records; `raw` does not include it.
    package var key: String?

    package init(error: JSONError, offset: Int, length: Int, raw: [UInt8]) {
        self.error = error
        self.offset = offset
        self.length = length
        self.raw = raw
    }

    var memory: Int { raw.count + 500 }
}
