/// Text that is made piece by piece, in memory of its own.
///
/// An array would check before each byte whether its memory is shared.
package struct TextBuffer: ~Copyable {
    private var start: UnsafeMutablePointer<UInt8>
    private var capacity: Int
    /// The number of bytes.
    package private(set) var count = 0

    /// Text without bytes.
    package init(capacity: Int = 256) {
        self.capacity = max(1, capacity)
        start = .allocate(capacity: self.capacity)
    }

    deinit { start.deallocate() }

    /// The bytes, which are valid until the text changes.
    package var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: start, count: count) }

    /// The last byte; nil if there is none.
    @inline(__always)
    var last: UInt8? { count == 0 ? nil : start[count - 1] }

    /// Removes the bytes after some of them, or all.
    package mutating func removeAll(after kept: Int = 0) { count = min(count, kept) }

    /// The end of the text, where bytes can be written that `advance(by:)` then adds.
    @inline(__always)
    mutating func end(withRoomFor more: Int) -> UnsafeMutablePointer<UInt8> {
        if capacity - count < more { grow(by: more) }
        return start + count
    }

    /// Adds bytes that were written at the end.
    @inline(__always)
    mutating func advance(by written: Int) { count += written }

    @inline(never)
    private mutating func grow(by more: Int) {
        capacity = max(count + more, capacity * 2)
        let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
        larger.update(from: start, count: count)
        start.deallocate()
        start = larger
    }

    @inline(__always)
    mutating func append(_ byte: UInt8) {
        end(withRoomFor: 1)[0] = byte
        count += 1
    }

    @inline(__always)
    mutating func append(_ bytes: UnsafeRawBufferPointer) {
        guard let address = bytes.baseAddress else { return }
        UnsafeMutableRawPointer(end(withRoomFor: bytes.count)).copyMemory(from: address, byteCount: bytes.count)
        count += bytes.count
    }

    /// Appends the UTF-8 of a text.
    mutating func append(_ text: String) {
        var text = text
        text.withUTF8 { append(UnsafeRawBufferPointer($0)) }
    }

    /// Appends bytes.
    package mutating func append(_ bytes: [UInt8]) { bytes.withUnsafeBytes { append($0) } }
}
