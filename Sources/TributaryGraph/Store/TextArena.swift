/// Memory in which the texts of one row stay until its statement has run, so that SQLite need not copy them apart.
final class TextArena {
    private let start: UnsafeMutableRawPointer
    private static let capacity = 16 << 10
    private var used = 0

    init() { start = .allocate(byteCount: TextArena.capacity, alignment: 16) }

    deinit { start.deallocate() }

    /// Begins a row: what the last one had is gone.
    @inline(__always)
    func clear() { used = 0 }

    /// A copy of `bytes`; nil if there is no room for them in this row.
    @inline(__always)
    func copy(_ bytes: UnsafeBufferPointer<UInt8>) -> UnsafeRawBufferPointer? {
        guard bytes.count <= TextArena.capacity - used else { return nil }
        let place = start + used
        used += bytes.count
        if let source = bytes.baseAddress { place.copyMemory(from: source, byteCount: bytes.count) }
        return UnsafeRawBufferPointer(start: place, count: bytes.count)
    }
}
