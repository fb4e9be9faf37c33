/// A stream whose first bytes can be examined before they are read.
///
/// `@unchecked Sendable`: only the reading thread calls the methods, except for `cancel`, which only forwards.
final class PrefixedStream: StreamStage, @unchecked Sendable {
    let upstream: any ByteStream
    private var prefix: [UInt8] = []

    init(_ upstream: any ByteStream) { self.upstream = upstream }

    var isReady: Bool { !prefix.isEmpty || upstream.isReady }

    /// The next `count` bytes, fewer only at the end.
    func peek(_ count: Int) throws -> [UInt8] {
        while prefix.count < count {
            let missing = count - prefix.count
            let more = try [UInt8](unsafeUninitializedCapacity: missing) { bytes, initialized in
                initialized = try upstream.read(into: UnsafeMutableRawBufferPointer(bytes))
            }
            guard !more.isEmpty else { break }
            prefix += more
        }
        return Array(prefix.prefix(count))
    }

    /// Skips the next `count` bytes, which `peek` has returned.
    func drop(_ count: Int) throws { prefix.removeFirst(count) }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        guard !prefix.isEmpty else { return try upstream.read(into: buffer) }
        let count = min(prefix.count, buffer.count)
        for index in 0..<count { buffer[index] = prefix[index] }
        prefix.removeFirst(count)
        return count
    }

    func seek(to offset: Int) throws -> Bool {
        guard try upstream.seek(to: offset) else { return false }
        prefix = []
        return true
    }
}
