import TributaryConcurrency
import TributarySQLite

/// A thread that works with a statement, while batches of rows go between it and its caller.
///
///     one side fills them ── full batches ──▶ the other side empties them
///              ▲                                        │
///              └──────────── empty batches ─────────────┘
///
/// The statement, and with it the connection, belongs to the thread until `waitForEnd` returns.
final class RowExchange: Sendable {
    static let rowsPerBatch = 512
    static let bytesPerBatch = 512 << 10

    let full = BoundedQueue<RowBatch>(capacity: .max)
    let empty = BoundedQueue<RowBatch>(capacity: .max)
    private let result = Monitor<Result<Void, any Error>?>(nil)

    /// Starts a thread that calls `body` with `statement`, which the caller must retain until `waitForEnd` returns.
    init(
        width: Int, _ statement: Statement,
        _ body: @escaping @Sendable (RowExchange, borrowing Statement) throws -> Void
    ) throws {
        for _ in 0..<3 { _ = empty.push(RowBatch(width: width), weight: 1) }
        // Not retained: the thread releases its references only after it has reported its end; if the last one was among
        // them, the thread would finalize the statement while another thread uses the connection.
        let statement = UncheckedTransfer(Unmanaged.passUnretained(statement))
        try WorkerThread.start { [self] in
            let ending = Result { try statement.value._withUnsafeGuaranteedRef { try body(self, $0) } }
            if case .failure(let error) = ending { full.finish(throwing: error) } else { full.finish() }
            empty.cancel()
            result.update { $0 = ending }
        }
    }

    /// Waits until the thread is done; returns the error of `body` if it threw one.
    @discardableResult
    func waitForEnd() -> (any Error)? {
        if case .failure(let error) = result.wait(until: { $0 }) { error } else { nil }
    }
}
