/// A decoder of one compression format, driven by `InflatingStream`.
///
/// A decompressor belongs to the reading thread.
protocol Decompressor: AnyObject {
    /// Decompresses from `input` to `output`, and advances both by the bytes used.
    ///
    /// - Returns: whether a member (gzip), frame (zstd) or stream (bzip2, xz) has just ended.
    /// - Throws: a `JSONError` without a position if the bytes are damaged.
    func process(_ input: inout UnsafeRawBufferPointer, _ output: inout UnsafeMutableRawBufferPointer) throws -> Bool

    func startMember() throws

    /// Whether zero bytes may follow a member, as tape blocks and `xz` append them.
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
