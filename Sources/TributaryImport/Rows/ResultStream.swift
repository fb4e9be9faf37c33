import TributaryConcurrency
import TributaryJSON
import TributaryStore

/// The results of a query as JSON text that is made while it is read, a row a line, until a time is over.
///
/// The connection of the query must not be used elsewhere while the text is read.
final class ResultStream: ByteStream {
    private struct State {
        let cursor: ValueCursor
        let row: RowText
        var rowCount = 0
        var isWhole = false
        var isAtEnd = false
        var text: [UInt8] = []
        var start = 0
    }

    private let state: Guarded<State>
    private let end: ContinuousClock.Instant

    /// Text of the results of a cursor in front of its first row; columns get the names that are given.
    init(_ cursor: UncheckedTransfer<ValueCursor>, _ names: [String], until end: ContinuousClock.Instant) {
        let columns = zip(names, cursor.value.columns).map { name, column in
            // Members of the column for others would be taken for columns.
            (name, column.meaning == .rest ? .inferred : column.meaning ?? .plain)
        }
        state = Guarded(State(cursor: cursor.value, row: RowText(columns)))
        self.end = end
    }

    /// The rows that were read, and whether they are all.
    var progress: (rows: Int, isWhole: Bool) { state.withLock { ($0.rowCount, $0.isWhole) } }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        try state.withLock { state in
            while state.text.count - state.start < buffer.count, !state.isAtEnd {
                guard ContinuousClock.now < end else {
                    state.isAtEnd = true
                    break
                }
                do {
                    if try state.cursor.next() {
                        state.row.append(state.cursor.cell, to: &state.text)
                        state.text.append(UInt8(ascii: "\n"))
                        state.rowCount += 1
                    } else {
                        (state.isAtEnd, state.isWhole) = (true, true)
                    }
                } catch {
                    guard ContinuousClock.now >= end else { throw JSONError(.sourceRead, "\(error)") }
                    // The time was over within a row, as when few rows fit a filter.
                    state.isAtEnd = true
                }
            }
            let count = min(buffer.count, state.text.count - state.start)
            buffer.copyBytes(from: state.text[state.start..<state.start + count])
            state.start += count
            if state.text.count - state.start < buffer.count {
                state.text.removeFirst(state.start)
                state.start = 0
            }
            return count
        }
    }

    var isReady: Bool { true }
}

/// The results of a query as a source, which is opened once.
struct ResultSource: ByteSource {
    let name: String
    let stream: ResultStream

    func open() -> any ByteStream { stream }
}
