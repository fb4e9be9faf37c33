import TributaryJSON

/// Memory for one text at a time whose escape sequences are decoded.
final class DecodedText {
    @exclusivity(unchecked) private var memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 256, alignment: 8)

    deinit { memory.deallocate() }

    /// The text that a string stands for; it is valid until the next one, and eight bytes after it may be loaded.
    func decode(_ escaped: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8> {
        if memory.count < escaped.count + 8 {
            memory.deallocate()
            memory = .allocate(byteCount: escaped.count * 2 + 8, alignment: 8)
        }
        guard let start = memory.baseAddress else { return UnsafeBufferPointer(start: nil, count: 0) }
        let count = RawValue.decode(escaped, into: start)
        // What is loaded after the end does not depend on earlier texts.
        (start + count).storeBytes(of: 0, toByteOffset: 0, as: UInt64.self)
        return UnsafeBufferPointer(start: start.assumingMemoryBound(to: UInt8.self), count: count)
    }
}
