/// A part of a source that did not become a record: where it stands, why, and its bytes.
public struct Reject: Sendable, Hashable {
    /// What is wrong, and where exactly.
    public let error: JSONError
    /// The offset of the first byte that was cut out.
    public let offset: Int
    /// How many bytes were cut out.
    public let length: Int
    /// The bytes that were cut out, at most as many as the limits keep.
    public let raw: [UInt8]
    /// The number of the record in its source, from 1; nil where no record stood.
    public var record: Int? { error.record }

    /// The key of the record, if it was a member of an object of records: `raw` is without it.
    package var key: String?

    package init(error: JSONError, offset: Int, length: Int, raw: [UInt8]) {
        self.error = error
        self.offset = offset
        self.length = length
        self.raw = raw
    }

    /// Roughly the memory it takes.
    var memory: Int { raw.count + 500 }
}
