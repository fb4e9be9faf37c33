/// One compression format behind the same few calls; `InflatingStream` does the rest.
///
/// A value belongs to the thread that reads.
protocol Decompressor: AnyObject {
    /// Decompresses from `input` to `output`, moving both forward by what was used.
    ///
    /// - Returns: whether a member (gzip), frame (zstd) or stream (bzip2, xz) has just ended.
    /// - Throws: a `JSONError` without a place when the bytes are damaged.
    func process(_ input: inout UnsafeRawBufferPointer, _ output: inout UnsafeMutableRawBufferPointer) throws -> Bool

    /// Makes ready for the next member.
    func startMember() throws

    /// Whether zero bytes may follow a member, as tape blocks and `xz` leave them.
    var permitsZeroPadding: Bool { get }
}

extension Decompressor {
    func corrupt(_ reason: String) -> JSONError { JSONError(.compressionCorrupt, reason) }
}

extension UnsafeRawBufferPointer {
    /// Drops the first `count` bytes.
    mutating func advance(by count: Int) { self = UnsafeRawBufferPointer(rebasing: self[count...]) }
}

extension UnsafeMutableRawBufferPointer {
    /// Drops the first `count` bytes.
    mutating func advance(by count: Int) { self = UnsafeMutableRawBufferPointer(rebasing: self[count...]) }
}
