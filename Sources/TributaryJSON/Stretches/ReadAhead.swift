import TributaryConcurrency
import Synchronization

/// Opens the sources on threads of its own, decompresses them, and divides their bytes into stretches.
///
/// Files are opened beside each other, one on each thread. Anything else is opened once all sources before it are read.
final class ReadAhead: Sendable {
    private struct Claims {
        /// The next source to open.
        var next: Int
        /// The sources that are read, beyond those that are read without a gap.
        var finished: Set<Int> = []
        /// The number of sources that are read without a gap.
        var finishedCount: Int
        /// The source whose stretches are taken.
        var taken: Int
        var isCancelled = false
    }

    private struct State {
        var queues: [Int: BoundedQueue<Stretch>] = [:]
        var streams: [Int: any ByteStream] = [:]
        var stretches: [Int: Stretch] = [:]
        var isCancelled = false
    }

    private let sources: [any ByteSource]
    private let options: ReadOptions
    private let start: (source: Int, byte: Int)
    /// The end of the range to read; nil for all bytes.
    private let stop: Int?
    /// The size of stretches; nil for one parser.
    private let stretchBytes: Int?
    /// The number of sources that may be read before they are parsed.
    private let lead: Int
    /// The hashes of the bytes read, if they are requested.
    private let trail: DigestTrail?
    /// The hash that the source must have up to the position at which an earlier reader stopped.
    private let expected: DigestMark?
    private let stored = Atomic<Int>(0)
    private let failedStretches = Atomic<Int>(0)
    private let claims: Monitor<Claims>
    private let state = Guarded(State())
    private let buffers: InputBuffer.Pool
    /// The source whose stretches are taken.
    private let taking: Guarded<Int>

    init(
        _ sources: [any ByteSource], _ options: ReadOptions, start: Checkpoint?, stop: Checkpoint?, stretchBytes: Int?,
        lead: Int, trail: DigestTrail?, expected: DigestMark?
    ) {
        self.lead = lead
        self.sources = sources
        self.options = options
        self.start = (start?.source ?? 0, start?.byte ?? 0)
        self.stop = stop?.byte
        self.stretchBytes = stretchBytes
        self.trail = trail
        self.expected = expected
        claims = Monitor(
            Claims(next: self.start.source, finishedCount: self.start.source, taken: self.start.source))
        taking = Guarded(self.start.source)
        buffers = InputBuffer.Pool(capacity: max(options.bufferBytes, 64 << 10), keeping: 8)
    }

    /// Bytes read from the sources so far, before decompression.
    var storedBytes: Int { stored.load(ordering: .relaxed) }

    // MARK: On the reading threads

    /// Reads sources until there are no more; several threads may run it.
    func run() {
        while let index = claim() {
            let queue = queue(of: index)
            do {
                try read(sources[index], index: index, queue)
                queue.finish()
            } catch {
                queue.finish(throwing: queue.isCancelled ? CancellationError() : error)
                // What follows an error is not even opened.
                claims.update { $0.next = sources.count }
            }
            claims.update { claims in
                claims.finished.insert(index)
                while claims.finished.remove(claims.finishedCount) != nil { claims.finishedCount += 1 }
            }
        }
    }

    /// The next source to read, after a wait until it may be opened; nil if there is none.
    private func claim() -> Int? {
        claims.wait { claims -> Int?? in
            guard !claims.isCancelled, claims.next < self.sources.count else { return .some(nil) }
            guard claims.next <= claims.taken + self.lead,
                claims.finishedCount == claims.next || self.sources[claims.next].isFile
            else { return nil }
            defer { claims.next += 1 }
            return .some(claims.next)
        }
    }

    /// The stretches of a source, whichever thread asks first.
    private func queue(of source: Int) -> BoundedQueue<Stretch> {
        state.withLock { state in
            if let queue = state.queues[source] { return queue }
            let queue = BoundedQueue<Stretch>(capacity: 2)
            if state.isCancelled { queue.cancel() }
            state.queues[source] = queue
            return queue
        }
    }

    /// Reads one source to its end, or until the consumer stops.
    private func read(_ source: any ByteSource, index: Int, _ queue: BoundedQueue<Stretch>) throws {
        let raw = CountingStream(try source.open()) { [self] in stored.add($0, ordering: .relaxed) }
        state.withLock { state in
            state.streams[index] = raw
            if state.isCancelled { raw.cancel() }
        }
        defer {
            state.withLock { state in (state.streams[index], state.stretches[index]) = (nil, nil) }
        }
        var place = 0
        do {
            try readDecoded(raw, source, index: index, queue, &place)
        } catch {
            throw located(error, source, place)
        }
    }

    private func located(_ error: any Error, _ source: any ByteSource, _ place: Int) -> any Error {
        guard var error = error as? JSONError, error.position == nil, error.code != .sourceRead else { return error }
        error.position = SourcePosition(file: source.name, byte: place, line: 0, column: 0)
        return error
    }

    private func readDecoded(
        _ raw: CountingStream, _ source: any ByteSource, index: Int, _ queue: BoundedQueue<Stretch>, _ place: inout Int
    ) throws {
        let decoded = try DecodedStream(raw, limits: options.limits, options.conversion)
        let (compression, encoding, begin) = (decoded.compression, decoded.encoding, decoded.begin)
        let wanted = index == start.source ? max(start.byte, begin) : begin
        let isStored = compression == nil && encoding == .utf8 && !decoded.isConverted
        let isPlain = try isStored && (source.isFile || source.versionIfTold() != nil)
        var watch = trail.map {
            SourceWatch($0, source: index, at: begin, isPlain: isPlain, expected: expected)
        }
        place = begin
        if isPlain, wanted > begin {
            // The bytes before the mark are not read again; the journal has compared some of them.
            let known = expected.flatMap { mark in
                mark.source == index && (begin...wanted).contains(mark.byte) ? mark.digest.map { (mark.byte, $0) } : nil
            }
            if let trail, let (byte, digest) = known, digest.count <= byte, try decoded.stream.seek(to: byte) {
                watch = SourceWatch(trail, source: index, after: digest, at: byte, isPlain: true)
                place = byte
            } else if trail == nil, try decoded.stream.seek(to: wanted) {
                place = wanted
            }
        }
        failedStretches.store(0, ordering: .relaxed)
        guard
            var writer = StretchWriter(
                queue, source: index, offset: wanted, compression: compression, encoding: encoding, size: stretchBytes,
                register: { [self] in register($0, of: index) },
                isWorthless: { [self] in failedStretches.load(ordering: .relaxed) >= ReadAhead.mostFailedStretches })
        else { return }
        do {
            try pump(decoded.stream, wanted: wanted, watch, into: &writer, &place)
        } catch {
            let error = located(error, source, place)
            writer.fail(error)
            throw error
        }
    }

    /// Makes a stretch the one that is cancelled with the reader; false if that has happened already.
    private func register(_ stretch: Stretch, of source: Int) -> Bool {
        state.withLock { state in
            if state.isCancelled { stretch.cancel() }
            state.stretches[source] = stretch
            return !state.isCancelled
        }
    }

    private func pump(
        _ stream: any ByteStream, wanted: Int, _ watch: consuming SourceWatch?,
        into writer: inout StretchWriter, _ place: inout Int
    ) throws {
        while true {
            let buffer = InputBuffer(buffers)
            let offset = max(place, wanted)
            // Bytes that are available at once share a buffer; bytes that are not must not delay them.
            while let whole = buffer.room(for: options.bufferBytes), buffer.count == 0 || stream.isReady {
                let room = UnsafeMutableRawBufferPointer(rebasing: whole.prefix(max(0, (stop ?? .max) - place)))
                let count: Int
                do {
                    count = room.isEmpty ? 0 : try stream.read(into: room)
                    if count > 0 { try watch?.hash(UnsafeRawBufferPointer(rebasing: room[..<count])) }
                    if count > 0, let total = options.limits.total, place + count > total {
                        place += count
                        throw JSONError(.limitTotal, "the text has more than \(total) bytes")
                    }
                } catch {
                    // The bytes read before the error are still delivered.
                    _ = writer.add(Piece(buffer, at: offset))
                    throw error
                }
                if count == 0 {
                    // A stream that was cancelled ends early.
                    guard !state.withLock({ $0.isCancelled }) else { return }
                    guard writer.add(Piece(buffer, at: offset)) else { return }
                    guard place >= max(wanted, stop ?? 0) else {
                        throw JSONError(
                            .sourceChanged,
                            "it has \(place) bytes, fewer than the \(max(wanted, stop ?? 0)) that were read before",
                            hint: SourceWatch.hint)
                    }
                    watch?.finish()
                    return writer.finish()
                }
                let skipped = min(count, max(0, wanted - place))
                place += count
                guard count > skipped else { continue }
                if skipped > 0 { room.copyMemory(from: UnsafeRawBufferPointer(rebasing: room[skipped..<count])) }
                buffer.add(count - skipped)
            }
            guard writer.add(Piece(buffer, at: offset)) else { return }
        }
    }

    // MARK: On the parsing threads

    /// The next stretch in the order of the sources; nil at their end.
    ///
    /// One thread at a time calls it.
    func next() throws -> Stretch? {
        try taking.withLock { source in
            guard start.source < sources.count || start == (0, 0) else {
                throw JSONError(
                    .sourceChanged,
                    "there are \(sources.count) sources, but the checkpoint belongs to source \(start.source + 1)",
                    hint: "use the same sources as before")
            }
            while source < sources.count {
                if let stretch = try queue(of: source).pop() { return stretch }
                state.withLock { $0.queues[source] = nil }
                source += 1
                claims.update { $0.taken = source }
            }
            return nil
        }
    }

    /// The number of stretches in a row that were parsed in vain, after which one parser reads the rest of a source.
    private static let mostFailedStretches = 8

    /// Records whether a stretch could be parsed before its turn.
    func noteParsedAhead(_ isUseful: Bool) {
        if isUseful {
            failedStretches.store(0, ordering: .relaxed)
        } else {
            failedStretches.add(1, ordering: .relaxed)
        }
    }

    // MARK: On any thread

    func cancel() {
        claims.update { $0.isCancelled = true }
        let (queues, streams, stretches) = state.withLock { state in
            state.isCancelled = true
            return (Array(state.queues.values), Array(state.streams.values), Array(state.stretches.values))
        }
        for queue in queues { queue.cancel() }
        for stretch in stretches { stretch.cancel() }
        for stream in streams { stream.cancel() }
    }
}
