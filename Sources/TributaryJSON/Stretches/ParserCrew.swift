import TributaryConcurrency

/// The parsing threads of a reader, each of which takes the next stretch.
///
/// All but the thread whose stretch has its turn parse ahead. What they find is right if the feed arrives at the border
/// where they began; if not, it is parsed again.
final class ParserCrew: Sendable {
    private struct Turn {
        var number = 0
        var isCancelled = false
    }

    private enum Task {
        case parse(Stretch)
        case fail(any Error)
        case finish
    }

    private let sources: [any ByteSource]
    private let options: ReadOptions
    private let readAhead: ReadAhead
    private let feed: FeedParser
    private let pool: BlockPool
    private let output: ReadOutput
    private let turn = Monitor(Turn())
    /// The number of tasks that were taken; nil after the last one.
    private let taken = Guarded<Int?>(0)
    /// The most bytes that are parsed ahead of one stretch.
    private let mostBytes: Int

    init(
        _ sources: [any ByteSource], _ options: ReadOptions, readAhead: ReadAhead, feed: FeedParser, pool: BlockPool,
        output: ReadOutput, stretchBytes: Int?
    ) {
        (self.sources, self.options, self.readAhead, self.feed) = (sources, options, readAhead, feed)
        (self.pool, self.output) = (pool, output)
        mostBytes = 2 * max(stretchBytes ?? 0, options.bufferBytes, 16 << 10)
    }

    /// Parses stretches until there are no more.
    func run() {
        do {
            while let (number, task) = take() {
                switch task {
                case .parse(let stretch): try parse(stretch, number)
                case .fail(let error):
                    try awaitTurn(number)
                    throw error
                case .finish:
                    try awaitTurn(number)
                    try feed.finish()
                    output.finish()
                }
                turn.update { $0.number += 1 }
            }
        } catch {
            // The first error counts, and not the cancellation of the other threads that follows from it.
            output.finish(throwing: error)
            cancel()
            readAhead.cancel()
        }
    }

    func cancel() { turn.update { $0.isCancelled = true } }

    private func take() -> (Int, Task)? {
        taken.withLock { taken in
            guard let number = taken else { return nil }
            taken = number + 1
            do {
                if let stretch = try readAhead.next() { return (number, .parse(stretch)) }
                taken = nil
                return (number, .finish)
            } catch {
                taken = nil
                return (number, .fail(error))
            }
        }
    }

    private func awaitTurn(_ number: Int) throws {
        let hasCome = turn.wait { turn in turn.isCancelled ? false : turn.number == number ? true : nil }
        guard hasCome else { throw CancellationError() }
    }

    private func isTurn(_ number: Int) -> Bool { turn.read { $0.number == number || $0.isCancelled } }

    private func parse(_ stretch: Stretch, _ number: Int) throws {
        var pieces: [Piece] = []
        var result: (AheadParser.Result, Division)?
        var isAhead = false
        if case .border(let division) = stretch.start, options.stretchBytes != nil || !isTurn(number) {
            isAhead = true
            result = try parseAhead(stretch, division, number, &pieces).map { ($0, division) }
        }
        try awaitTurn(number)
        if let (result, division) = result, try feed.take(result, from: division) {
            output.addPartAhead()
            return readAhead.noteParsedAhead(true)
        }
        if isAhead { readAhead.noteParsedAhead(false) }
        try feed.parse(stretch, pieces)
    }

    /// Parses a stretch before its turn, and keeps its pieces; nil if it has a fault, or is too slow or too long.
    private func parseAhead(
        _ stretch: Stretch, _ division: Division, _ number: Int, _ pieces: inout [Piece]
    ) throws -> AheadParser.Result? {
        var count = 0
        let begin = ContinuousClock.now
        do {
            let parser = try AheadParser(
                stretch, in: division, options: options, name: sources[stretch.source].name, pool: pool)
            while count <= mostBytes {
                switch try stretch.next(milliseconds: 50) {
                case .none: if isTurn(number) { return nil }
                case .some(.none): return try stretch.end.flatMap(parser.finish)
                case .some(.some(let piece)):
                    pieces.append(piece)
                    count += piece.weight
                    output.add(bytes: piece.count)
                    var answer: Division.Answer?
                    defer { stretch.didParse(piece.count) { answer } }
                    try parser.consume(piece)
                    answer = parser.answer
                    // A slow source must not delay its records.
                    if stretch.end == nil, isTurn(number), ContinuousClock.now - begin > .milliseconds(50) {
                        return nil
                    }
                }
            }
        } catch {
            // The parser of the feed finds the fault again, and throws it in its turn.
            if error is CancellationError { throw error }
        }
        return nil
    }
}
