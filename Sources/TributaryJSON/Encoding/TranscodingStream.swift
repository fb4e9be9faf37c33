/// Converts UTF-16 or UTF-32 to UTF-8 while it is read.
///
/// `@unchecked Sendable`: only the reading thread calls the methods, except for `cancel`, which only forwards.
final class TranscodingStream: ByteStream, @unchecked Sendable {
    private let upstream: any ByteStream
    private let encoding: TextEncoding
    private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 << 10, alignment: 16)
    private var kept = 0
    private var failure: (any Error)?
    private var consumed: Int

    /// Reads code units from `upstream`, whose byte order mark of `mark` bytes has been read.
    init(_ upstream: any ByteStream, encoding: TextEncoding, mark: Int) {
        self.upstream = upstream
        self.encoding = encoding
        consumed = mark
    }

    deinit { buffer.deallocate() }

    func cancel() { upstream.cancel() }

    var isReady: Bool { upstream.isReady }

    func read(into target: UnsafeMutableRawBufferPointer) throws -> Int {
        // Two bytes of UTF-16 become at most 3, four of UTF-32 at most 4; a smaller target needs a buffer in between.
        guard target.count >= 4 else { return try readThroughSmallBuffer(into: target) }
        if !overflow.isEmpty { return drainOverflow(into: target) }
        if let failure { throw failure }
        while true {
            let room = max(encoding.unitWidth, min(buffer.count, target.count / 3 * 2) & ~3)
            let limit = max(room, kept + encoding.unitWidth)
            let count = try upstream.read(into: UnsafeMutableRawBufferPointer(rebasing: buffer[kept..<limit]))
            let available = kept + count
            var position = 0
            var written = 0
            while failure == nil {
                let next: (scalar: Unicode.Scalar, width: Int)?
                do {
                    next = try nextScalar(at: position, of: available, isFinal: count == 0)
                } catch {
                    // The characters before the error are returned first.
                    failure = error
                    break
                }
                guard let (scalar, width) = next else { break }
                guard written + 4 <= target.count else { break }
                for unit in UTF8.encode(scalar).unsafelyUnwrapped {
                    target[written] = unit
                    written += 1
                }
                position += width
            }
            kept = available - position
            consumed += position
            buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: buffer[position..<available]))
            if written > 0 { return written }
            if let failure { throw failure }
            if count == 0 { return 0 }
        }
    }

    /// The character at `position`, or nil if more bytes are needed.
    private func nextScalar(at position: Int, of available: Int, isFinal: Bool) throws -> (Unicode.Scalar, Int)? {
        let width = encoding.unitWidth
        guard position < available else { return nil }
        guard position + width <= available else {
            if isFinal { throw invalid(position, "ends in the middle of a character") }
            return nil
        }
        let first = unit(at: position)
        if let scalar = Unicode.Scalar(first) { return (scalar, width) }
        guard width == 2, first < 0xDC00 else { throw invalid(position, "has an invalid code unit") }
        guard position + 4 <= available else {
            if isFinal { throw invalid(position, "ends in the middle of a character") }
            return nil
        }
        let second = unit(at: position + 2)
        guard (0xDC00...0xDFFF).contains(second),
            let scalar = Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
        else { throw invalid(position, "has half a surrogate pair") }
        return (scalar, 4)
    }

    private func unit(at position: Int) -> UInt32 {
        let bytes = (0..<encoding.unitWidth).map { UInt32(buffer[position + $0]) }
        return (encoding.isLittleEndian ? bytes.reversed() : bytes).reduce(0) { $0 << 8 | $1 }
    }

    private func invalid(_ position: Int, _ what: String) -> JSONError {
        JSONError(.encodingInvalid, "the \(encoding) text \(what) at byte \(consumed + position)")
    }

    // MARK: Targets smaller than one character

    private var overflow: [UInt8] = []

    private func readThroughSmallBuffer(into target: UnsafeMutableRawBufferPointer) throws -> Int {
        if overflow.isEmpty {
            overflow = try [UInt8](unsafeUninitializedCapacity: 64) { bytes, count in
                count = try read(into: UnsafeMutableRawBufferPointer(bytes))
            }
        }
        return drainOverflow(into: target)
    }

    private func drainOverflow(into target: UnsafeMutableRawBufferPointer) -> Int {
        let count = min(target.count, overflow.count)
        for index in 0..<count { target[index] = overflow[index] }
        overflow.removeFirst(count)
        return count
    }
}
