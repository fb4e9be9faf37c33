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
    /// How much of it is looked at next: amounts that do not depend on the pieces it comes in.
    private var wanted = 64 << 10
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
    /// Called when there is much to take before a piece has been read to its end.
    var drain: (() throws -> Void)?

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
        while parser == nil, sample.count >= wanted {
            try detect(looksAt: wanted)
            wanted *= 2
        }
    }

    /// The source is slow: makes do with what there is.
    func flush() throws {
        if parser == nil, !sample.isEmpty { try detect(.pause) }
        try parser?.flush()
    }

    func finish(violation: Int?) throws {
        if parser == nil { try detect(.none, isFinal: true) }
        try parser?.finish(violation: violation)
    }

    /// Publishes the whole records that have been read before an error.
    ///
    /// Where they are must be certain: reading may go on behind them when the source is whole again.
    func salvage() throws {
        if parser == nil, !sample.isEmpty { try detect(.pause) }
        try parser?.flush()
    }

    private func detect(
        _ patience: ShapeDetector.Patience = .full, isFinal: Bool = false, looksAt most: Int = .max
    ) throws {
        let wish = ShapeDetector.Wish(format: options.format, paths: options.paths)
        let found = try sample.withUnsafeBytes { bytes in
            let sample = UnsafeRawBufferPointer(rebasing: bytes.prefix(most))
            return try ShapeDetector(sample: sample, isFinal: isFinal, patience: patience, name: name, wish: wish)
                .detect()
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
                hasMetPath: metBefore, isBehindText: false)
        self.shape = shape
        parser = try RecordParser(
            plan: plan, shape: shape, source: source, sourceName: name, pool: pool, start: start)
        parser?.hasMetPath = metBefore || start.hasMetPath
        parser?.drain = { [unowned self] in try drain?() }
    }
}
