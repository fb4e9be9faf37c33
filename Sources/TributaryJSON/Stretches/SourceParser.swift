/// Parses one source, after inferring its shape.
final class SourceParser {
    private let options: ReadOptions
    private let name: String
    private let offset: Int
    private let begin: (RecordShape, _ otherFormat: String?) throws -> RecordParser
    /// The parser of the records; nil until the shape is known.
    private(set) var records: RecordParser?
    /// The first bytes, until the shape is known.
    private var sample: [UInt8] = []
    /// How many bytes the next attempt to infer the shape examines, whatever pieces the bytes arrive in.
    private var wanted: Int
    private var sampleInvalidOffsets: [Int] = []
    private var check = ByteCheck()

    /// Parses the source `name` from `offset` on; `shape` is its shape if reading resumes.
    ///
    /// `begin` makes the parser of the records, once their shape is known, and the format of a text that is not JSON.
    init(
        _ options: ReadOptions, name: String, offset: Int, shape: RecordShape?,
        begin: @escaping (RecordShape, _ otherFormat: String?) throws -> RecordParser
    ) throws {
        self.options = options
        self.name = name
        self.offset = offset
        self.begin = begin
        wanted = max(1, min(options.stretchBytes ?? .max, 64 << 10))
        records = try shape.map { try begin($0, nil) }
    }

    /// Parses the next bytes.
    func consume(_ piece: Piece) throws {
        let bytes = piece.bytes
        for start in stride(from: 0, to: bytes.count, by: options.bufferBytes) {
            let part = UnsafeRawBufferPointer(rebasing: bytes[start..<min(start + options.bufferBytes, bytes.count)])
            try consume(part, check.check(part, at: piece.offset + start))
        }
    }

    private func consume(_ bytes: UnsafeRawBufferPointer, _ finding: ByteCheck.Finding) throws {
        if let records {
            try records.consume(bytes, lineFeeds: finding.lineFeeds, invalidOffsets: finding.invalidOffsets)
            return
        }
        sample += bytes
        sampleInvalidOffsets += finding.invalidOffsets
        while records == nil, sample.count >= wanted {
            try detect(examining: wanted)
            wanted *= 2
        }
    }

    /// Parses the bytes held back, because the source is slow or cannot be read any further.
    ///
    /// The positions of the records must be certain, because after an error reading may resume after them once the
    /// source is complete again.
    func flush() throws {
        if records == nil, !sample.isEmpty { try detect(.paused) }
        try records?.flush()
    }

    /// Parses the rest, at the end of the source.
    func finish() throws {
        if records == nil { try detect(.complete) }
        try records?.finish(invalidOffset: check.finish())
    }

    private func detect(_ state: ShapeDetector.SampleState = .growing, examining most: Int = .max) throws {
        let found = try sample.withUnsafeBytes { bytes in
            let sample = UnsafeRawBufferPointer(rebasing: bytes.prefix(most))
            return try ShapeDetector(sample: sample, state: state, name: name, options: options).detect()
        }
        guard let found else { return }
        let records = try begin(found, OtherFormat.name(of: Array(sample.prefix(OtherFormat.sampleBytes))))
        self.records = records
        let bytes = sample
        sample = []
        // In pieces, so that no chunk exceeds its size.
        try bytes.withUnsafeBytes { all in
            for start in stride(from: 0, to: all.count, by: options.bufferBytes) {
                let piece = UnsafeRawBufferPointer(rebasing: all[start..<min(start + options.bufferBytes, all.count)])
                let range = offset + start..<offset + start + piece.count
                try records.consume(
                    piece, lineFeeds: LineFeeds.count(in: piece),
                    invalidOffsets: sampleInvalidOffsets.filter(range.contains))
            }
        }
    }
}
