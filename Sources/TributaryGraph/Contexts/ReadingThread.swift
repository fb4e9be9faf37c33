import TributaryConcurrency
import TributarySQLite

/// Steps a query on its own thread, while the caller creates objects from the previous rows.
struct ReadingThread {
    /// The number of rows from which a thread is faster.
    static let threshold = 1000

    private let exchange: RowExchange
    private let columnCount: Int

    /// Starts a thread that continues at the current row of `statement`, which the caller must retain until
    /// `forEachRow` returns.
    init(_ statement: Statement) throws {
        let columnCount = statement.columnCount
        self.columnCount = columnCount
        exchange = try RowExchange(width: columnCount, statement) { exchange, statement in
            var isDone = false
            while !isDone, let batch = try exchange.empty.pop() {
                batch.removeAll()
                isDone = try !ReadingThread.fill(batch, statement, columnCount)
                _ = exchange.full.push(batch, weight: 1)
            }
        }
    }

    /// Reads rows until the batch is full; false if there are no more.
    private static func fill(_ batch: RowBatch, _ statement: borrowing Statement, _ columnCount: Int) throws -> Bool {
        for _ in 0..<RowExchange.rowsPerBatch where batch.valueBytes < RowExchange.bytesPerBatch {
            guard try statement.step() else { return false }
            batch.begin(ordinal: 0)
            for column in 0..<columnCount { batch.add(statement.cell(at: column)) }
        }
        return true
    }

    func forEachRow(_ body: (RowCells) throws -> Void) throws {
        defer {
            // The thread must be done with the statement before the caller uses the connection again.
            exchange.empty.cancel()
            exchange.waitForEnd()
        }
        let cells = RowCells(columnCount)
        while let batch = try exchange.full.pop() {
            for row in 0..<batch.count {
                cells.read(row, of: batch)
                try body(cells)
            }
            _ = exchange.empty.push(batch, weight: 1)
        }
    }
}
