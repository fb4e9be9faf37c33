/// Parses in the order of the feed: takes the records of stretches that were parsed ahead, and parses all others itself.
///
/// `@unchecked Sendable`: only the thread whose stretch has its turn uses it.
final class FeedParser: @unchecked Sendable {
    private let sources: [any ByteSource]
    private let options: ReadOptions
    private let checkpoint: Checkpoint?
    private let stop: Checkpoint?
    private let pool: BlockPool
    private let output: ReadOutput

    /// The parser of the source, unless the latest stretch was parsed ahead.
    private var parser: SourceParser?
    /// The place after the latest stretch, if it was parsed ahead.
    private var place: FeedPlace?
    private var hasMetPath: Bool
    private var outside: OutsideReport?
    private var places = PlaceTree()
    private var paths: [RecordPath] = []

    init(
        _ sources: [any ByteSource], _ options: ReadOptions, start: Checkpoint?, stop: Checkpoint?, pool: BlockPool,
        output: ReadOutput
    ) {
        (self.sources, self.options, self.checkpoint, self.stop) = (sources, options, start, stop)
        (self.pool, self.output) = (pool, output)
        (hasMetPath, outside) = (start?.hasMetPath ?? false, start?.outside)
    }

    // MARK: Stretches parsed ahead

    /// Delivers records that were parsed ahead; false if the feed does not arrive where they begin.
    func take(_ result: AheadParser.Result, from division: Division) throws -> Bool {
        guard let place = try arrive(at: division) else { return false }
        guard isWithinLimits(result, from: place, division) else { return false }
        var here = place
        var chunks = result.chunks
        for index in chunks.indices {
            chunks[index].move(to: here, in: division)
            let isLastOfBlock = index + 1 == chunks.count || chunks[index + 1].isFirstOfBlock
            if isLastOfBlock, division.kind != .lines { here.samples = chunks[index].samplesAfterBlock }
        }
        // A fault after such a record may say that it is none.
        if case .border = result.outcome, division.kind != .lines, chunks.last?.isLastRecordUnlikeOthers == true {
            return false
        }
        for chunk in chunks { try output.deliver(chunk) }
        var end = place.advanced(
            to: result.end, isSameContainer: !result.hasLeftContainer,
            overlap: division.kind == .items ? 1 : 0)
        end.samples = here.samples
        if let last = chunks.last { end.end = last.end }
        self.place = end
        if case .source = result.outcome {
            finishSource(end.hasMetPath, end.outside, verifiedBytes: end.verifiedBytes, division.shape)
        }
        return true
    }

    /// Whether no limit depends on what is before the stretch.
    private func isWithinLimits(_ result: AheadParser.Result, from place: FeedPlace, _ division: Division) -> Bool {
        // Which of very many paths are reported depends on those before.
        guard result.end.outside.others == 0 else { return false }
        // Only the members of objects on a path are not limited.
        guard division.shape.paths.isEmpty, division.kind == .items else { return true }
        guard !result.hasLeftContainer else { return false }
        return !division.holdsMembers || place.index + result.end.index <= options.limits.keys
    }

    /// The place at the end of the latest stretch, if it is between two items of the container.
    private func arrive(at division: Division) throws -> FeedPlace? {
        guard let parser else { return place }
        guard let records = parser.records else { return nil }
        try records.parseAll()
        guard records.isAtBorder(of: division) else { return nil }
        try records.flush()
        self.parser = nil
        place = records.place(in: division)
        return place
    }

    // MARK: Other stretches

    /// Parses a stretch, first the pieces that were taken from it; delivers the records of a slow source as they come.
    func parse(_ stretch: Stretch, _ pieces: [Piece]) throws {
        let parser = try parser ?? begin(stretch)
        self.parser = parser
        do {
            for piece in pieces { try parser.consume(piece) }
            while true {
                switch try stretch.next(milliseconds: 50) {
                case .none: try parser.flush()
                case .some(.some(let piece)):
                    try parser.consume(piece)
                    output.add(bytes: piece.count)
                    stretch.didParse(piece.count) { parser.records?.division }
                case .some(.none): return try end(stretch, parser)
                }
            }
        } catch {
            // The records read before the error come first.
            if !(error is CancellationError) { try? parser.flush() }
            throw error
        }
    }

    private func end(_ stretch: Stretch, _ parser: SourceParser) throws {
        guard case .source? = stretch.end else { return }
        try parser.finish()
        self.parser = nil
        guard let records = parser.records else { return }
        places = records.places
        finishSource(
            records.hasMetPath, records.outside.total, verifiedBytes: records.verifiedBytes, records.shape)
    }

    private func begin(_ stretch: Stretch) throws -> SourceParser {
        let name = sources[stretch.source].name
        switch stretch.start {
        case .source(let compression, let encoding):
            let resumed = checkpoint.flatMap { $0.source == stretch.source ? $0 : nil }
            return try SourceParser(options, name: name, offset: stretch.offset, shape: resumed?.shape) {
                [unowned self] shape, otherFormat in
                let start =
                    resumed
                    ?? Checkpoint(
                        source: stretch.source, byte: stretch.offset, line: 1, lineStart: stretch.offset, record: 0,
                        steps: [], shape: shape, hasMetPath: hasMetPath, isBehindText: false, outside: outside)
                output.add(
                    SourceReport(
                        name: name, shape: shape, compression: compression, encoding: encoding,
                        otherFormat: otherFormat))
                return try records(start, name)
            }
        case .border(let division):
            guard let place else { preconditionFailure("internal error: no place before a stretch") }
            return try SourceParser(options, name: name, offset: stretch.offset, shape: division.shape) {
                [unowned self] _, _ in
                let records = try records(
                    place.checkpoint(source: stretch.source, byte: stretch.offset, division), name, (division, place))
                (records.resumePoint, records.resumePointAfterReject) = (place.end, place.end)
                return records
            }
        }
    }

    private func records(
        _ start: Checkpoint, _ name: String, _ border: (division: Division, place: FeedPlace)? = nil
    ) throws -> RecordParser {
        let records = try RecordParser(
            options: options, shape: start.shape, source: start.source, sourceName: name, pool: pool, start: start,
            stop: stop, border: border, deliver: output.deliver)
        records.places = places
        return records
    }

    // MARK: Ends

    private func finishSource(
        _ hasMetPath: Bool, _ outside: OutsideReport, verifiedBytes: Int, _ shape: RecordShape
    ) {
        (self.hasMetPath, self.outside, paths, place) = (hasMetPath, outside, shape.paths, nil)
        output.finishSource(outside, verifiedBytes: verifiedBytes, places)
    }

    /// Checks, after all sources, that the paths have led to something.
    func finish() throws {
        // Only a given path can fail to match: an inferred one was found in the source.
        guard options.paths != nil, !paths.isEmpty, !hasMetPath else { return }
        let report = output.report
        // A damaged part may have been at the path, also before the checkpoint.
        guard checkpoint?.record ?? 0 == 0, report.rejects == 0 else { return }
        let names = report.sources.map { Excerpt.escape($0.name) }.joined(separator: ", ")
        throw JSONError(
            .shapeMissing, "\(names): found nothing at \(paths.map(\.description).joined(separator: ", "))",
            hint: "check the layout of the source, or leave the path out to have it inferred")
    }
}
