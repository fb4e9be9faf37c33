import TributaryConcurrency
import TributarySQLite

/// The connection that writes, lent to an operation whose closure reaches further than the object of its record.
///
/// The operation asks and waits; the thread that writes lends when all chunks before are written, and waits in turn until
/// the chunk is ready.
///
/// `@unchecked Sendable`: one of the two threads waits while the other one has the connection.
final class Loan: @unchecked Sendable {
    /// What the operation gets.
    struct Lent {
        let connection: Connection
        /// For each table the first of the numbers of the chunk's records.
        let firsts: [Int64]
    }

    private struct State {
        var lent: Lent?
        var isCancelled = false
    }

    /// For each table how many numbers the chunk takes.
    let numbers: [Int]
    private let monitor = Monitor(State())

    init(numbers: [Int]) { self.numbers = numbers }

    /// Waits for the connection; nil if the import ends.
    func wait() -> Lent? {
        monitor.wait { state -> Lent?? in
            if state.isCancelled { return .some(nil) }
            return state.lent.map { .some($0) }
        }
    }

    func lend(_ connection: Connection, firsts: [Int64]) {
        monitor.update { $0.lent = Lent(connection: connection, firsts: firsts) }
    }

    func cancel() { monitor.update { $0.isCancelled = true } }
}
