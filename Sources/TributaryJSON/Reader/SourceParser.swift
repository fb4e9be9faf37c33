/// Parses one source, after inferring its shape.
final class SourceParser {
    /// What is known of the sources that have been read.
    struct Known {
        /// Whether any of the paths has matched.
        var hasMetPath: Bool
        /// The values outside of the records.
        var outside: OutsideReport?
        /// The places of all records, if they are looked for.
        var places = PlaceTree()
    }

    let name: String
    private let options: ReadOptions
    private let source: Int
    private let offset: Int
    private let pool: BlockPool
    private let checkpoint: Checkpoint?
    private let stop: Checkpoint?
    /// Called with the shape once it is known, before the first chunk.
    private let onShape: (RecordShape) -> Void
    private let deliver: (RecordChunk) throws -> Void
    private var parser: RecordParser?
    /// The first bytes, until the shape is known.
    private var sample: [UInt8] = []
    /// How many bytes the next attempt to infer the shape examines, whatever pieces the bytes arrive in.
    private var wanted = 64 << 10
    private var sampleInvalidOffsets: [Int] = []
    /// What is known of earlier sources, and of the text before the checkpoint.
    private let earlier: Known

    init(
        options: ReadOptions, source: Int, name: String, offset: Int, pool: BlockPool, checkpoint: Checkpoint?,
        known: Known, stop: Checkpoint?,
        onShape: @escaping (RecordShape) -> Void, deliver: @escaping (RecordChunk) throws -> Void
    ) throws {
        self.options = options
        self.source = source
        self.name = name
        self.offset = offset
        self.pool = pool
        self.checkpoint = checkpoint
        self.stop = stop
        self.onShape = onShape
        self.deliver = deliver
        earlier = known
        if let checkpoint { try begin(checkpoint.shape) }
    }

    /// What is known of all sources so far.
    var known: Known {
        guard let parser else { return earlier }
        return Known(hasMetPath: parser.hasMetPath, outside: parser.outside.total, places: parser.places)
    }

    /// The bytes read to verify borders after damage.
    var verifiedBytes: Int { parser?.verifiedBytes ?? 0 }
    var shape: RecordShape? { parser?.shape }

    func consume(_ buffer: InputBuffer) throws {
        var rest = buffer.bytes
        for (count, finding) in buffer.pieces {
            try consume(UnsafeRawBufferPointer(rebasing: rest[..<count]), finding)
            rest.advance(by: count)
        }
    }

    private func consume(_ bytes: UnsafeRawBufferPointer, _ finding: ByteCheck.Finding) throws {
        if let parser {
            try parser.consume(bytes, lineFeeds: finding.lineFeeds, invalidOffsets: finding.invalidOffsets)
            return
        }
        sample += bytes
        sampleInvalidOffsets += finding.invalidOffsets
        while parser == nil, sample.count >= wanted {
            try detect(examining: wanted)
            wanted *= 2
        }
    }

    /// Parses the bytes held back, because the source is slow or cannot be read any further.
    ///
    /// The positions of the records must be certain, because after an error reading may resume after them once the
    /// source is complete again.
    func flush() throws {
        if parser == nil, !sample.isEmpty { try detect(.paused) }
        try parser?.flush()
    }

    func finish(invalidOffset: Int?) throws {
        if parser == nil { try detect(.complete) }
        try parser?.finish(invalidOffset: invalidOffset)
    }

    private func detect(_ state: ShapeDetector.SampleState = .growing, examining most: Int = .max) throws {
        let found = try sample.withUnsafeBytes { bytes in
            let sample = UnsafeRawBufferPointer(rebasing: bytes.prefix(most))
            return try ShapeDetector(sample: sample, state: state, name: name, options: options).detect()
        }
        guard let found else { return }
        try begin(found)
        let bytes = sample
        sample = []
        // In pieces, so that no chunk exceeds its size.
        try bytes.withUnsafeBytes { all in
            for start in stride(from: 0, to: all.count, by: options.bufferBytes) {
                let piece = UnsafeRawBufferPointer(rebasing: all[start..<min(start + options.bufferBytes, all.count)])
                let range = offset + start..<offset + start + piece.count
                try parser?.consume(
                    piece, lineFeeds: LineFeeds.count(in: piece),
                    invalidOffsets: sampleInvalidOffsets.filter(range.contains))
            }
        }
    }

    private func begin(_ shape: RecordShape) throws {
        let start =
            checkpoint
            ?? Checkpoint(
                source: source, byte: offset, line: 1, lineStart: offset, record: 0, steps: [], shape: shape,
                hasMetPath: earlier.hasMetPath, isBehindText: false, outside: earlier.outside)
        parser = try RecordParser(
            options: options, shape: shape, source: source, sourceName: name, pool: pool, start: start, stop: stop,
            deliver: deliver)
        parser?.places = earlier.places
        onShape(shape)
    }
}
