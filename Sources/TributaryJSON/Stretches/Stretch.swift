import TributaryConcurrency

/// Consecutive bytes of a source that one parser reads, in pieces as they come.
///
/// A stretch begins with its source, or at a border that a scan has found. In the second case it can be parsed before its
/// turn; whether the border is a real one shows when the parser of the stretch before arrives there.
final class Stretch: Sendable {
    enum Start: Sendable {
        /// The first byte of a source, or the one at which reading resumes.
        case source(compression: Compression?, encoding: TextEncoding)
        /// A border.
        case border(Division)
    }

    enum End: Sendable {
        case source
        case border(Division)

        var division: Division? { if case .border(let division) = self { division } else { nil } }
    }

    private struct State {
        var end: End?
        var pushed = 0
        var parsed = 0
        var isAsked = false
        var answer: Division.Answer?
        var isCancelled = false
    }

    let source: Int
    /// The offset of the first byte.
    let offset: Int
    let start: Start
    /// Throws the error that has stopped reading, after the bytes before it.
    private let pieces: BoundedQueue<Piece>
    private let state = Monitor(State())

    /// Makes a stretch whose pieces take at most about `capacity` bytes before they are parsed.
    init(source: Int, offset: Int, start: Start, capacity: Int) {
        (self.source, self.offset, self.start) = (source, offset, start)
        pieces = BoundedQueue(capacity: capacity)
    }

    // MARK: On the reading thread

    /// Adds bytes; waits while too many are not parsed yet; false if the stretch is cancelled.
    func push(_ piece: Piece) -> Bool {
        state.update { $0.pushed += piece.count }
        return pieces.push(piece, weight: piece.weight)
    }

    /// Ends the stretch.
    func close(_ end: End) {
        state.update { $0.end = end }
        pieces.finish()
    }

    /// Ends the stretch, because its source cannot be read any further.
    func fail(_ error: any Error) { pieces.finish(throwing: error) }

    /// Asks the parser where the text can be divided.
    func ask() { state.update { ($0.isAsked, $0.answer) = (true, nil) } }

    /// What the parser has answered so far; with `isWaiting`, what it knows after all bytes so far.
    func answer(isWaiting: Bool) -> Division.Answer? {
        guard isWaiting else { return state.read { $0.answer } }
        return state.wait { state in
            state.answer ?? (state.isCancelled ? .undivided : state.parsed >= state.pushed ? .unknown : nil)
        }
    }

    func cancel() {
        pieces.cancel()
        state.update { $0.isCancelled = true }
    }

    // MARK: On a parsing thread

    /// The next bytes, nil at the end of the stretch; `.none` if there are none within the time.
    func next(milliseconds: Int) throws -> Piece?? { try pieces.pop(milliseconds: milliseconds) }

    /// How the stretch ends; nil before its last piece was taken.
    var end: End? { state.read { $0.end } }

    /// Reports that bytes were parsed, and answers the reading thread if it asks.
    func didParse(_ count: Int, _ answer: () -> Division.Answer?) {
        let isAsked = state.read { $0.isAsked }
        let answer = isAsked ? answer() : nil
        state.update { state in
            state.parsed += count
            guard isAsked, let answer else { return }
            (state.isAsked, state.answer) = (false, answer)
        }
    }
}
