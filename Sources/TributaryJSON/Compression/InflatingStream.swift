/// Decompresses another stream while it is read.
///
/// Members, frames and streams that follow one another are read as one text. What is cut off, damaged or followed
/// by something else is an error at its place, never a shorter text.
///
/// `@unchecked Sendable`: everything but `cancel`, which only forwards, is called by the one thread that reads.
final class InflatingStream: ByteStream, @unchecked Sendable {
    private let upstream: any ByteStream
    private let decompressor: any Decompressor
    private let compression: Compression
    private let limits: ReadLimits
    private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 << 10, alignment: 16)
    private var pending = UnsafeRawBufferPointer(start: nil, count: 0)
    private var isAtEnd = false
    private var isInMember = true
    /// Zero bytes behind the latest stream.
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

    func cancel() { upstream.cancel() }

    var isReady: Bool { upstream.isReady }

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
                // What was decoded before the damage is given first.
                guard output.count < target.count else { throw located(error) }
                break
            }
            consumed += before - pending.count
            if isAtEnd, pending.isEmpty, isInMember, output.count == target.count {
                throw located(
                    JSONError(.compressionTruncated, "the \(compression) stream ends in its middle"))
            }
        }
        let count = target.count - output.count
        produced += count
        try checkRatio()
        return count
    }

    /// Between two members: whether another one follows.
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
            // xz pads its streams with zeros and may go on behind them, gzip does not.
            // It does so in words of four bytes.
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

    /// Reads on behind what is pending.
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
                "\(consumed) bytes of \(compression) have grown to \(produced), more than \(limits.ratio) to one",
                hint: "permit it with a larger ratio limit if you trust the input"))
    }

    private func located(_ error: JSONError) -> JSONError {
        var error = error
        error.reason += " at compressed byte \(consumed)"
        return error
    }
}
