/// Reads one source: finds out its shape, then parses.
final class SourceParser {
    let name: String
    private let options: ReadOptions
    private let source: Int
    private let offset: Int
    private let pool: BlockPool
    private let checkpoint: Checkpoint?
    private var parser: RecordParser?
    /// The first bytes, while the shape is not known.
    private var sample: [UInt8] = []
    private var retryAt = 0
    private var sampleViolations: [Int] = []
    private(set) var shape: RecordShape?

    init(
        options: ReadOptions, source: Int, name: String, offset: Int, pool: BlockPool, checkpoint: Checkpoint?
    ) throws {
        self.options = options
        self.source = source
        self.name = name
        self.offset = offset
        self.pool = pool
        self.checkpoint = checkpoint
        if let checkpoint { try begin(checkpoint.shape) }
    }

    var hasMetPath: Bool {
        get { parser?.hasMetPath ?? metBefore }
        set {
            metBefore = newValue
            parser?.hasMetPath = newValue
        }
    }
    private var metBefore = false

    func takeOutput() -> [RecordChunk] {
        guard let parser, !parser.output.isEmpty else { return [] }
        defer { parser.output = [] }
        return parser.output
    }

    func consume(_ buffer: InputBuffer) throws {
        var rest = buffer.bytes
        for (count, finding) in buffer.pieces {
            try consume(UnsafeRawBufferPointer(rebasing: rest[..<count]), finding)
            rest.advance(by: count)
        }
    }

    private func consume(_ bytes: UnsafeRawBufferPointer, _ finding: ByteCheck.Finding) throws {
        if let parser {
            try parser.consume(bytes, lineFeeds: finding.lineFeeds, violations: finding.violations)
            return
        }
        sample += bytes
        sampleViolations += finding.violations
        // Twice as much each time, so that small pieces do not make it quadratic.
        guard sample.count >= retryAt else { return }
        retryAt = sample.count * 2
        try detect(isFinal: false, mustDecide: false)
    }

    /// The source is slow: makes do with what there is.
    func flush() throws {
        if parser == nil, !sample.isEmpty { try detect(isFinal: false, mustDecide: true) }
        try parser?.flush()
    }

    func finish(violation: Int?) throws {
        if parser == nil { try detect(isFinal: true, mustDecide: true) }
        try parser?.finish(violation: violation)
    }

    /// Publishes the whole records that have been read before an error.
    func salvage() throws {
        if parser == nil, !sample.isEmpty { try detect(isFinal: false, mustDecide: true) }
        try parser?.flush()
    }

    private func detect(isFinal: Bool, mustDecide: Bool) throws {
        let wish = ShapeDetector.Wish(format: options.format, paths: options.paths)
        let found = try sample.withUnsafeBytes { bytes in
            try ShapeDetector(sample: bytes, isFinal: isFinal, mustDecide: mustDecide, name: name, wish: wish).detect()
        }
        guard let found else { return }
        try begin(found)
        let bytes = sample
        sample = []
        // In pieces, as it came, so that no chunk is larger than it should be.
        try bytes.withUnsafeBytes { all in
            for start in stride(from: 0, to: all.count, by: options.bufferBytes) {
                let piece = UnsafeRawBufferPointer(rebasing: all[start..<min(start + options.bufferBytes, all.count)])
                let range = offset + start..<offset + start + piece.count
                try parser?.consume(
                    piece, lineFeeds: LineFeeds.count(in: piece), violations: sampleViolations.filter(range.contains))
            }
        }
    }

    private func begin(_ shape: RecordShape) throws {
        let plan = RecordParser.Plan(
            limits: options.limits, onError: options.onError, chunkRecords: options.chunkRecords,
            chunkBytes: options.chunkBytes, keyName: options.keyName, valueName: options.valueName)
        let start =
            checkpoint
            ?? Checkpoint(
                source: source, byte: offset, line: 1, lineStart: offset, record: 0, steps: [], shape: shape,
                hasMetPath: metBefore)
        self.shape = shape
        parser = try RecordParser(
            plan: plan, shape: shape, source: source, sourceName: name, pool: pool, start: start)
        parser?.hasMetPath = metBefore || start.hasMetPath
    }
}
