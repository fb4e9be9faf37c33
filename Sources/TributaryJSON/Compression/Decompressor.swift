/// A decoder of one compression format, driven by `InflatingStream`.
///
/// A decompressor belongs to the reading thread.
protocol Decompressor: AnyObject {
    /// Advances both buffers by the bytes used; returns whether a member, frame or stream has just ended.
    func process(_ input: inout UnsafeRawBufferPointer, _ output: inout UnsafeMutableRawBufferPointer) throws -> Bool

    func startMember() throws

    /// Whether zero bytes may follow a member, as tape blocks and `xz` append them.
    var permitsZeroPadding: Bool { get }
}

extension Decompressor {
    func corrupt(_ reason: String) -> JSONError { JSONError(.compressionCorrupt, reason) }
}

extension UnsafeRawBufferPointer {
    mutating func advance(by count: Int) { self = UnsafeRawBufferPointer(rebasing: self[count...]) }
}

extension UnsafeMutableRawBufferPointer {
    mutating func advance(by count: Int) { self = UnsafeMutableRawBufferPointer(rebasing: self[count...]) }
}
