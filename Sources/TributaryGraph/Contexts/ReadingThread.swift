import TributaryConcurrency
import TributarySQLite

/// Steps a query on its own thread, while the caller creates objects from the previous rows.
///
///     thread    step and copy ── full batches ──▶   caller    objects
///                  ▲                                  │
///                  └────────── empty batches ──────────┘
///
/// The statement, and with it the connection, belongs to the thread until `forEachRow` returns.
final class ReadingThread {
    /// The number of rows from which a thread is faster.
    static let threshold = 1000
    private static let rowsPerBatch = 512
    private static let bytesPerBatch = 512 << 10

    private let full = BoundedQueue<RowBatch>(capacity: .max)
    private let empty = BoundedQueue<RowBatch>(capacity: .max)
    private let hasEnded = Monitor(false)
    private let columnCount: Int

    /// Starts a thread that continues at the current row of `statement`, which the caller must retain until
    /// `forEachRow` returns.
    ///
    /// - Throws: the errors of `WorkerThread.start`.
    init(_ statement: Statement) throws {
        columnCount = statement.columnCount
        for _ in 0..<3 { _ = empty.push(RowBatch(width: columnCount), weight: 1) }
        // Not retained: the caller has a reference until `forEachRow` returns. The thread releases its references only
        // after it has reported its end; if the last one was among them, the thread would finalize the statement while
        // another thread uses the connection.
        let statement = UncheckedTransfer(Unmanaged.passUnretained(statement))
        try WorkerThread.start { [full, empty, hasEnded, columnCount] in
            do {
                var isDone = false
                while !isDone, let batch = try empty.pop() {
                    batch.removeAll()
                    isDone = try statement.value._withUnsafeGuaranteedRef { statement in
                        try !ReadingThread.fill(batch, statement, columnCount)
                    }
                    _ = full.push(batch, weight: 1)
                }
                full.finish()
            } catch {
                full.finish(throwing: error)
            }
            hasEnded.update { $0 = true }
        }
    }

    /// Reads rows until the batch is full; false if there are no more.
    private static func fill(_ batch: RowBatch, _ statement: borrowing Statement, _ columnCount: Int) throws -> Bool {
        for _ in 0..<rowsPerBatch where batch.valueBytes < bytesPerBatch {
            guard try statement.step() else { return false }
            batch.begin(ordinal: 0)
            for column in 0..<columnCount { batch.add(statement.cell(at: column)) }
        }
        return true
    }

    /// Calls `body` for each row.
    ///
    /// - Throws: `SQLiteError`, or the error of `body`.
    func forEachRow(_ body: (RowCells) throws -> Void) throws {
        defer {
            // The thread must be done with the statement before the caller uses the connection again.
            empty.cancel()
            hasEnded.wait { $0 ? () : nil }
        }
        let cells = RowCells(columnCount)
        while let batch = try full.pop() {
            for row in 0..<batch.count {
                cells.read(row, of: batch)
                try body(cells)
            }
            _ = empty.push(batch, weight: 1)
        }
    }
}
