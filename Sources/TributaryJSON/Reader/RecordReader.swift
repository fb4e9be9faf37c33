/// Reads the records of one or several sources, in chunks, with a bounded amount of memory.
///
///     let reader = RecordReader(from: .file("users.json.gz"))
///     for try await chunk in reader {
///         for record in chunk {
///             let name: String? = record["name"]
///         }
///     }
///
/// A thread without `async` calls `next()` instead. Either way the sources are read, decompressed and parsed ahead on
/// two threads of the reader, which sleep while too many bytes are pending. A reader is for one pass, and for one task
/// or thread at a time. It stops when it is cancelled, when the iterating task is cancelled, or when it is deallocated.
public final class RecordReader: AsyncSequence, Sendable {
    /// Chunks of records.
    public typealias Element = RecordChunk

    private let pipeline: ReadPipeline

    /// Prepares to read `sources` one after the other; nothing is opened before the first chunk is requested.
    ///
    /// - Parameters:
    ///   - sources: Files, descriptors, memory, or your own types.
    ///   - options: How to read.
    ///   - checkpoint: Where an earlier reader of the same sources with the same options stopped.
    public init(
        from sources: [any ByteSource], options: ReadOptions = ReadOptions(), resumingAt checkpoint: Checkpoint? = nil
    ) {
        pipeline = ReadPipeline(sources, options: options, start: checkpoint)
    }

    /// Prepares to resume at a checkpoint, if the sources still begin with the bytes whose hash is `expected`.
    ///
    /// `next()` throws a `JSONError` with the code `source.changed` before it returns a record after other bytes.
    package init(
        from sources: [any ByteSource], options: ReadOptions, resumingAt checkpoint: Checkpoint?, expected: DigestMark?
    ) {
        pipeline = ReadPipeline(sources, options: options, start: checkpoint, expected: expected)
    }

    /// Prepares to read one range of a file, whose options are those of its plan.
    ///
    /// `next()` throws a `JSONError` with the code `syntax.range-border` if the records do not end exactly where the next
    /// range begins, after it has returned them. The file is damaged then, so that ranges after this one may be wrong
    /// too, and one reader must read the whole file.
    package init(from source: FileSource, options: ReadOptions, range: RecordRange) {
        var options = options
        options.onError = .stop
        options.digests = false
        pipeline = ReadPipeline([source], options: options, start: range.start, stop: range.stop)
    }

    /// The hash of the bytes of a source up to a checkpoint of a chunk, or up to a little before it.
    ///
    /// It is nil if the options do not request hashes. Hashes of earlier checkpoints are dropped.
    package func digest(before checkpoint: Checkpoint) -> DigestMark? {
        pipeline.trail?.mark(source: checkpoint.source, byte: checkpoint.byte)
    }

    /// The hash of a whole source; nil if it was not read to its end.
    package func digest(ofSource index: Int) -> DigestMark? { pipeline.trail?.end(of: index) }

    /// Prepares to read one source.
    public convenience init(
        from source: some ByteSource, at path: RecordPath? = nil, options: ReadOptions = ReadOptions(),
        resumingAt checkpoint: Checkpoint? = nil
    ) {
        var options = options
        if let path { options.paths = [path] }
        self.init(from: [source], options: options, resumingAt: checkpoint)
    }

    deinit { pipeline.cancel() }

    /// The next chunk, waiting on the calling thread; nil at the end.
    ///
    /// - Throws: a `JSONError`, or a `CancellationError` after `cancel()`.
    @available(*, noasync, message: "iterate with for try await")
    public func next() throws -> RecordChunk? {
        try pipeline.next()
    }

    /// Stops reading; a waiting `next()` throws a `CancellationError`.
    public func cancel() { pipeline.cancel() }

    /// What has been read so far.
    public var report: ReadReport { pipeline.report }

    /// The places of all records, if they are looked for.
    var places: PlaceTree { pipeline.places }

    /// Iterates over the chunks; a reader has one pass.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(reader: self) }

    /// Takes the chunks of a reader, suspending until there is one.
    public struct AsyncIterator: AsyncIteratorProtocol {
        let reader: RecordReader

        /// The next chunk; nil at the end.
        public mutating func next() async throws -> RecordChunk? {
            try await reader.pipeline.nextAsynchronously()
        }
    }
}
