import Synchronization

/// Bytes of a source on their way to the parser.
///
/// `@unchecked Sendable`: filled by the thread that reads, then handed over through a queue and only read.
final class InputBuffer: @unchecked Sendable {
    let memory: UnsafeMutableRawBufferPointer
    var count = 0
    /// The offset of the first byte in its source.
    var offset = 0
    var finding = ByteCheck.Finding()

    init(capacity: Int) { memory = .allocate(byteCount: capacity, alignment: 16) }

    deinit { memory.deallocate() }

    var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: memory[..<count]) }
}

/// The thread that opens the sources, decompresses them, and looks for what yajl would let through.
final class ReadAhead: Sendable {
    enum Event: Sendable {
        case begin(source: Int, compression: Compression?, encoding: TextEncoding, offset: Int)
        case bytes(InputBuffer)
        /// The end of a source; a character that is cut off there begins at `violation`.
        case end(violation: Int?)
    }

    private let sources: [any ByteSource]
    private let limits: ReadLimits
    private let bufferBytes: Int
    private let start: (source: Int, byte: Int)
    private let stored = Atomic<Int>(0)
    private let current = Mutex<(any ByteStream)?>(nil)
    private let spare = Mutex<[InputBuffer]>([])
    let queue: BoundedQueue<Event>

    init(_ sources: [any ByteSource], limits: ReadLimits, bufferBytes: Int, start: (source: Int, byte: Int)) {
        self.sources = sources
        self.limits = limits
        self.bufferBytes = bufferBytes
        self.start = start
        queue = BoundedQueue(capacity: max(1 << 20, 2 * bufferBytes))
    }

    /// Bytes taken from the sources so far, as they are stored.
    var storedBytes: Int { stored.load(ordering: .relaxed) }

    func run() {
        do {
            for index in start.source..<max(start.source, sources.count) {
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

    /// Gives a buffer back to be filled again.
    func recycle(_ buffer: InputBuffer) {
        spare.withLock { if $0.count < 4 { $0.append(buffer) } }
    }

    /// Reads one source to its end; false when nobody wants more.
    private func read(_ source: any ByteSource, index: Int) throws -> Bool {
        let raw = CountingStream(try source.open()) { [self] in stored.add($0, ordering: .relaxed) }
        current.withLock { $0 = raw }
        if queue.isCancelled { raw.cancel() }
        defer { current.withLock { $0 = nil } }
        do {
            return try readDecoded(raw, index: index)
        } catch var error as JSONError {
            if error.position == nil, error.code != .sourceRead {
                error.position = SourcePosition(file: source.name, byte: lastOffset.load(ordering: .relaxed), line: 0, column: 0)
            }
            throw error
        }
    }

    private let lastOffset = Atomic<Int>(0)

    private func readDecoded(_ raw: CountingStream, index: Int) throws -> Bool {
        lastOffset.store(0, ordering: .relaxed)
        let sniffed = PrefixedStream(raw)
        let compression = Compression.detect(try sniffed.peek(Compression.magicLength))
        let inflated: any ByteStream =
            try compression.map { try InflatingStream(sniffed, compression: $0, limits: limits) } ?? sniffed
        let text = PrefixedStream(inflated)
        if compression != nil, let inner = Compression.detect(try text.peek(Compression.magicLength)) {
            throw JSONError(
                .compressionNested, "the input is compressed twice: \(inner) within \(compression.map(\.description) ?? "")",
                hint: "unpack it once before")
        }
        let (encoding, mark) = TextEncoding.detect(try text.peek(TextEncoding.detectionLength))
        try text.drop(mark)
        let isPlain = encoding == .utf8
        let stream: any ByteStream =
            isPlain ? text : TranscodingStream(text, encoding: encoding, mark: mark)
        let begin = isPlain ? mark : 0
        let wanted = index == start.source ? max(start.byte, begin) : begin
        let canSeek = compression == nil && isPlain && wanted > begin
        let offset = try canSeek && text.seek(to: wanted) ? wanted : begin
        guard queue.push(.begin(source: index, compression: compression, encoding: encoding, offset: wanted), weight: 0)
        else { return false }
        return try pump(stream, from: offset, wanted: wanted)
    }

    private func pump(_ stream: any ByteStream, from offset: Int, wanted: Int) throws -> Bool {
        var check = ByteCheck()
        var offset = offset
        while true {
            let buffer = spare.withLock { $0.popLast() } ?? InputBuffer(capacity: bufferBytes)
            let count = try stream.read(into: buffer.memory)
            if queue.isCancelled { return false }
            if count == 0 {
                guard offset >= wanted else {
                    throw JSONError(
                        .sourceChanged, "the source has \(offset) bytes, but was read up to byte \(wanted) before")
                }
                return queue.push(.end(violation: check.finish()), weight: 0)
            }
            let skipped = min(count, max(0, wanted - offset))
            if skipped > 0 {
                buffer.memory.copyMemory(from: UnsafeRawBufferPointer(rebasing: buffer.memory[skipped..<count]))
            }
            buffer.offset = offset + skipped
            buffer.count = count - skipped
            offset += count
            lastOffset.store(offset, ordering: .relaxed)
            if let total = limits.total, offset > total {
                throw JSONError(.limitTotal, "the text has more than \(total) bytes")
            }
            guard buffer.count > 0 else {
                recycle(buffer)
                continue
            }
            buffer.finding = check.check(buffer.bytes, at: buffer.offset)
            guard queue.push(.bytes(buffer), weight: bufferBytes) else { return false }
        }
    }
}
