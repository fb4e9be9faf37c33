/// Decompresses another stream while it is read.
///
/// Members, frames and streams that follow one another are read as one text. A truncated or damaged stream, or other
/// bytes after it, are an error with a position, never a shorter text.
///
/// `@unchecked Sendable`: only the reading thread calls the methods, except for `cancel`, which only forwards.
final class InflatingStream: StreamStage, @unchecked Sendable {
    let upstream: any ByteStream
    private let decompressor: any Decompressor
    private let compression: Compression
    private let limits: ReadLimits
    private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 << 10, alignment: 16)
    private var pending = UnsafeRawBufferPointer(start: nil, count: 0)
    private var isAtEnd = false
    private var isInMember = true
    /// The number of zero bytes after the latest stream.
    private var padding = 0
    private var consumed = 0
    private var failure: JSONError?
    private var produced = 0

    init(_ upstream: any ByteStream, compression: Compression, limits: ReadLimits) throws {
        self.upstream = upstream
        self.compression = compression
        self.limits = limits
        decompressor = try compression.makeDecompressor(limits: limits)
    }

    deinit { buffer.deallocate() }

    func read(into target: UnsafeMutableRawBufferPointer) throws -> Int {
        if let failure { throw failure }
        var output = target
        while output.count == target.count {
            if pending.isEmpty, !isAtEnd { try refill() }
            guard isInMember else {
                if try startNextMember() { continue }
                return 0
            }
            let before = pending.count
            do {
                isInMember = try !decompressor.process(&pending, &output)
            } catch let error as JSONError {
                consumed += before - pending.count
                failure = located(error)
                // The bytes decoded before the damage are returned first.
                guard output.count < target.count else { throw located(error) }
                break
            }
            consumed += before - pending.count
            if isAtEnd, pending.isEmpty, isInMember, output.count == target.count {
                throw located(
                    JSONError(.compressionTruncated, "the \(compression) stream ends before it is complete"))
            }
        }
        let count = target.count - output.count
        produced += count
        try checkRatio()
        return count
    }

    /// Starts the next member, if there is one; false at the end of the stream.
    private func startNextMember() throws -> Bool {
        while true {
            if pending.isEmpty {
                guard !isAtEnd else {
                    if compression == .xz, padding % 4 != 0 { throw located(trailing) }
                    return false
                }
                try refill()
                continue
            }
            if pending[0] == 0, decompressor.permitsZeroPadding {
                padding += 1
                consumed += 1
                pending.advance(by: 1)
                continue
            }
            // In xz another stream may follow zeros, which come in words of four bytes; in gzip none may.
            guard padding == 0 || compression == .xz && padding % 4 == 0, try nextBytesAreMagic() else {
                throw located(trailing)
            }
            padding = 0
            isInMember = true
            try decompressor.startMember()
            return true
        }
    }

    private var trailing: JSONError {
        JSONError(.compressionTrailing, "something that is not \(compression) follows the end of the stream")
    }

    private func nextBytesAreMagic() throws -> Bool {
        while pending.count < Compression.magicLength, !isAtEnd { try refill() }
        return Compression.detect(pending.prefix(Compression.magicLength)) == compression
    }

    /// Reads more bytes after the pending ones.
    private func refill() throws {
        let kept = pending.count
        if kept > 0 { buffer.copyMemory(from: pending) }
        let count = try upstream.read(into: UnsafeMutableRawBufferPointer(rebasing: buffer[kept...]))
        isAtEnd = count == 0
        pending = UnsafeRawBufferPointer(rebasing: buffer[..<(kept + count)])
    }

    private func checkRatio() throws {
        guard produced > 64 << 20, produced / max(1, consumed) > limits.ratio else { return }
        throw located(
            JSONError(
                .compressionBomb,
                "\(consumed) bytes of \(compression) expand to \(produced), a ratio above the limit of \(limits.ratio)",
                hint: "raise the ratio limit if you trust the input"))
    }

    private func located(_ error: JSONError) -> JSONError {
        var error = error
        error.reason += " at compressed byte \(consumed)"
        return error
    }
}
