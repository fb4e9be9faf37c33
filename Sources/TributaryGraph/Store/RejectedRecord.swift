/// A record that an import has rejected, as its store keeps it in the table `_reject`.
public struct RejectedRecord: Sendable, Hashable {
    /// The number of its row, which no other reject of the store ever has; 0 for one that is in no store.
    public package(set) var id: Int64 = 0
    /// The run that rejected it.
    public package(set) var run = 0
    /// The entity it was to become; nil if it is not known which.
    public package(set) var entity: String?
    /// The record path that led to it.
    public package(set) var at: String?
    /// Its key, if it was a member of an object of records.
    public package(set) var key: String?
    /// The member under which it was to have that key.
    public package(set) var keyName: String?
    /// The source.
    public package(set) var file: String?
    /// Where in the source the error is: byte from 0, line and column from 1.
    public package(set) var byte: Int?
    /// The line, from 1.
    public package(set) var line: Int?
    /// The column in bytes, from 1.
    public package(set) var column: Int?
    /// The number of the record in its source, from 1; nil where no record stood.
    public package(set) var record: Int?
    /// The JSON path of the value.
    public package(set) var path: String?
    /// A stable name of what is wrong.
    public package(set) var code = ""
    /// What is wrong, as a sentence.
    public package(set) var reason = ""
    /// The offset of its first byte in the source.
    public package(set) var start = 0
    /// How many bytes it has there.
    public package(set) var length = 0
    /// Its bytes, at most as many as the limits keep.
    public package(set) var raw: [UInt8] = []

    package init() {}

    /// Whether only its first bytes are kept.
    public var isTruncated: Bool { raw.count < length }
}
