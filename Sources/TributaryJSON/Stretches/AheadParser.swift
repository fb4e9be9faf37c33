/// Parses a stretch before its turn, as if it began a source.
///
/// It stops at the first fault, because only the parser of the whole feed can tell what follows from it.
final class AheadParser {
    /// The records of a stretch without a fault, and where it ends; its counts begin with the stretch.
    struct Result {
        var chunks: [RecordChunk]
        let end: FeedPlace
        let outcome: Stretch.End
        /// Whether the container in which it begins has ended.
        let hasLeftContainer: Bool
    }

    private let division: Division
    private let options: ReadOptions
    private let parser: SourceParser
    private let records: RecordParser
    private let chunks: Chunks

    /// The chunks, while the parser makes them.
    private final class Chunks {
        var chunks: [RecordChunk] = []
        var duplicates = DuplicateKeys()
    }

    init(
        _ stretch: Stretch, in division: Division, options: ReadOptions, name: String, pool: BlockPool
    ) throws {
        var options = options
        options.onError = .stop
        let chunks = Chunks()
        let place = FeedPlace.unknown(stretch.offset, division)
        let records = try RecordParser(
            options: options, shape: division.shape, source: stretch.source, sourceName: name, pool: pool,
            start: place.checkpoint(source: stretch.source, byte: stretch.offset, division), border: (division, place),
            deliver: { chunk in
                var chunk = chunk
                _ = chunk.countDuplicateKeys(&chunks.duplicates)
                chunks.chunks.append(chunk)
            })
        (self.division, self.options, self.records, self.chunks) = (division, options, records, chunks)
        parser = try SourceParser(options, name: name, offset: stretch.offset, shape: division.shape) { _, _ in
            records
        }
    }

    /// Where the text can be divided.
    var answer: Division.Answer? { records.division }

    func consume(_ piece: Piece) throws { try parser.consume(piece) }

    /// The records after the last piece; nil if the parser is not at the end of the stretch.
    func finish(_ end: Stretch.End) throws -> Result? {
        switch end {
        case .source:
            try parser.finish()
            return result(records.place(in: division), end)
        case .border(let next):
            try records.parseAll()
            guard records.isAtBorder(of: next) else { return nil }
            try records.flush()
            return result(records.place(in: next), end)
        }
    }

    private func result(_ end: FeedPlace, _ outcome: Stretch.End) -> Result? {
        guard !records.hasRecordsBehindContainer else { return nil }
        return Result(
            chunks: chunks.chunks, end: end, outcome: outcome, hasLeftContainer: records.hasLeftContainer)
    }
}
