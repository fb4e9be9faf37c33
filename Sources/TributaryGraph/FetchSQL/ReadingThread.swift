import TributaryConcurrency
import TributarySQLite

/// Steps a query on a thread of its own, while the caller makes objects of the rows before.
///
///     thread    step, take out ─ full blocks ──▶   caller    objects
///                  ▲                                  │
///                  └────────── empty blocks ──────────┘
///
/// The statement, and with it the connection, belongs to the thread until `forEachRow` returns.
final class ReadingThread {
    /// After how many rows a thread is worth while.
    static let threshold = 1000
    private static let rowsPerBlock = 512
    private static let bytesPerBlock = 512 << 10

    private let full = BoundedQueue<RowBlock>(capacity: .max)
    private let empty = BoundedQueue<RowBlock>(capacity: .max)
    private let hasEnded = Monitor(false)
    private let columnCount: Int

    /// Starts a thread that goes on where `statement` stands, which the caller keeps until `forEachRow` has returned.
    ///
    /// - Throws: what WorkerThread throws.
    init(_ statement: Statement) throws {
        columnCount = statement.columnCount
        for _ in 0..<3 { _ = empty.push(RowBlock(cells: ReadingThread.rowsPerBlock * columnCount), weight: 1) }
        // Not retained: the caller has it until `forEachRow` returns. The thread lets go of what it holds only after it
        // has told its end; were its reference the last one, it would finalize the statement while another has the
        // connection.
        let statement = Handed(Unmanaged.passUnretained(statement))
        try WorkerThread.start { [full, empty, hasEnded, columnCount] in
            do {
                var isDone = false
                while !isDone, let block = try empty.pop() {
                    block.clear()
                    isDone = try statement.value._withUnsafeGuaranteedRef { statement in
                        try !ReadingThread.fill(block, statement, columnCount)
                    }
                    _ = full.push(block, weight: 1)
                }
                full.finish()
            } catch {
                full.finish(throwing: error)
            }
            hasEnded.update { $0 = true }
        }
    }

    /// Takes rows until the block is full; false if there are no more.
    private static func fill(_ block: RowBlock, _ statement: borrowing Statement, _ columnCount: Int) throws -> Bool {
        for _ in 0..<rowsPerBlock where block.byteCount < bytesPerBlock {
            guard try statement.step() else { return false }
            for column in 0..<columnCount { block.append(column, of: statement) }
        }
        return true
    }

    /// Calls `body` for each row.
    ///
    /// - Throws: `SQLiteError`, or what `body` throws.
    func forEachRow(_ body: (RowBlock.Line) throws -> Void) throws {
        defer {
            // The thread must have let go of the statement.
            empty.cancel()
            hasEnded.wait { $0 ? () : nil }
        }
        while let block = try full.pop() {
            for first in stride(from: 0, to: block.count, by: columnCount) { try body(block.line(first)) }
            _ = empty.push(block, weight: 1)
        }
    }
}
