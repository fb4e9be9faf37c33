import TributaryConcurrency
import Synchronization

/// Opens the sources on a thread of its own, decompresses them, and finds invalid bytes that yajl would accept.
final class ReadAhead: Sendable {
    enum Event: Sendable {
        case begin(source: Int, compression: Compression?, encoding: TextEncoding, offset: Int)
        case bytes(InputBuffer)
        /// The end of a source; a character that is truncated there begins at `invalidOffset`.
        case end(invalidOffset: Int?)
    }

    private let sources: [any ByteSource]
    private let options: ReadOptions
    private let start: (source: Int, byte: Int)
    /// The end of the range to read; nil for all bytes.
    private let stop: Int?
    /// The hashes of the bytes read, if they are requested.
    private let trail: DigestTrail?
    /// The hash that the source must have up to the position at which an earlier reader stopped.
    private let expected: DigestMark?
    private let stored = Atomic<Int>(0)
    private let current = Guarded<(any ByteStream)?>(nil)
    private let spare = Guarded<[InputBuffer]>([])
    let queue: BoundedQueue<Event>

    init(
        _ sources: [any ByteSource], _ options: ReadOptions, start: Checkpoint?, stop: Checkpoint?,
        trail: DigestTrail?, expected: DigestMark?
    ) {
        self.sources = sources
        self.options = options
        self.start = (start?.source ?? 0, start?.byte ?? 0)
        self.stop = stop?.byte
        self.trail = trail
        self.expected = expected
        queue = BoundedQueue(capacity: max(1 << 20, 2 * options.bufferBytes))
    }

    /// Bytes read from the sources so far, before decompression.
    var storedBytes: Int { stored.load(ordering: .relaxed) }

    func run() {
        do {
            guard start.source < sources.count || start == (0, 0) else {
                throw JSONError(
                    .sourceChanged,
                    "there are \(sources.count) sources, but the checkpoint belongs to source \(start.source + 1)",
                    hint: "use the same sources as before")
            }
            for index in start.source..<sources.count {
                guard try read(sources[index], index: index) else { return }
            }
            queue.finish()
        } catch {
            queue.finish(throwing: queue.isCancelled ? CancellationError() : error)
        }
    }

    func cancel() {
        queue.cancel()
        current.withLock { $0 }?.cancel()
    }

    func recycle(_ buffer: InputBuffer) {
        buffer.clear()
        spare.withLock { if $0.count < 4 { $0.append(buffer) } }
    }

    /// Reads one source to its end; false if the consumer has stopped.
    private func read(_ source: any ByteSource, index: Int) throws -> Bool {
        let raw = CountingStream(try source.open()) { [self] in stored.add($0, ordering: .relaxed) }
        current.withLock { $0 = raw }
        if queue.isCancelled { raw.cancel() }
        defer { current.withLock { $0 = nil } }
        do {
            return try readDecoded(raw, sources[index], index: index)
        } catch var error as JSONError {
            if error.position == nil, error.code != .sourceRead {
                error.position = SourcePosition(
                    file: source.name, byte: lastOffset.load(ordering: .relaxed), line: 0, column: 0)
            }
            throw error
        }
    }

    private let lastOffset = Atomic<Int>(0)

    private func readDecoded(_ raw: CountingStream, _ source: any ByteSource, index: Int) throws -> Bool {
        lastOffset.store(0, ordering: .relaxed)
        let decoded = try DecodedStream(raw, limits: options.limits, options.conversion)
        let (compression, encoding, begin) = (decoded.compression, decoded.encoding, decoded.begin)
        let wanted = index == start.source ? max(start.byte, begin) : begin
        let isStored = compression == nil && encoding == .utf8 && !decoded.isConverted
        let isPlain = isStored && source.isFile
        var watch = trail.map {
            SourceWatch($0, source: index, at: begin, isPlain: isPlain, expected: expected)
        }
        var offset = begin
        if isPlain, wanted > begin {
            // The bytes before the mark are not read again; the journal has compared some of them.
            let known = expected.flatMap { mark in
                mark.source == index && (begin...wanted).contains(mark.byte) ? mark.digest.map { (mark.byte, $0) } : nil
            }
            if let trail, let (byte, digest) = known, digest.count <= byte, try decoded.stream.seek(to: byte) {
                watch = SourceWatch(trail, source: index, after: digest, at: byte, isPlain: true)
                offset = byte
            } else if trail == nil, try decoded.stream.seek(to: wanted) {
                offset = wanted
            }
        }
        guard queue.push(.begin(source: index, compression: compression, encoding: encoding, offset: wanted), weight: 0)
        else { return false }
        return try pump(decoded.stream, from: offset, wanted: wanted, watch)
    }

    private func pump(
        _ stream: any ByteStream, from offset: Int, wanted: Int, _ watch: consuming SourceWatch?
    ) throws -> Bool {
        var check = ByteCheck()
        var offset = offset
        while true {
            let buffer = spare.withLock { $0.popLast() } ?? InputBuffer(capacity: max(options.bufferBytes, 64 << 10))
            // Bytes that are available at once share a buffer; bytes that are not must not delay them.
            while let whole = buffer.room(for: options.bufferBytes), buffer.count == 0 || stream.isReady {
                let room = UnsafeMutableRawBufferPointer(rebasing: whole.prefix(max(0, (stop ?? .max) - offset)))
                let count: Int
                do {
                    count = room.isEmpty ? 0 : try stream.read(into: room)
                } catch {
                    // The bytes read before the error are still delivered.
                    if buffer.count > 0 { _ = queue.push(.bytes(buffer), weight: buffer.memory.count) }
                    throw error
                }
                if queue.isCancelled { return false }
                if count == 0 {
                    if buffer.count > 0, !queue.push(.bytes(buffer), weight: buffer.memory.count) { return false }
                    guard offset >= max(wanted, stop ?? 0) else {
                        throw JSONError(
                            .sourceChanged,
                            "it has \(offset) bytes, fewer than the \(max(wanted, stop ?? 0)) that were read before",
                            hint: SourceWatch.hint)
                    }
                    watch?.finish()
                    return queue.push(.end(invalidOffset: check.finish()), weight: 0)
                }
                try watch?.hash(UnsafeRawBufferPointer(rebasing: room[..<count]))
                let skipped = min(count, max(0, wanted - offset))
                offset += count
                lastOffset.store(offset, ordering: .relaxed)
                if let total = options.limits.total, offset > total {
                    throw JSONError(.limitTotal, "the text has more than \(total) bytes")
                }
                guard count > skipped else { continue }
                if skipped > 0 { room.copyMemory(from: UnsafeRawBufferPointer(rebasing: room[skipped..<count])) }
                let fresh = UnsafeRawBufferPointer(rebasing: room[..<(count - skipped)])
                buffer.add(fresh.count, check.check(fresh, at: offset - fresh.count))
            }
            guard queue.push(.bytes(buffer), weight: buffer.memory.count) else { return false }
        }
    }
}
