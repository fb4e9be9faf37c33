import TributaryConcurrency
import TributarySQLite

/// Inserts rows on a thread of its own, while the caller flattens the next ones.
///
///     caller    objects ─ flatten ─▶ full batches ──▶   thread    bind, step
///                           empty batches ◀─────────────────┘
///
/// Inserting a row takes several times as long as flattening an object, so a save of many objects takes hardly longer
/// than SQLite alone. The connection belongs to the thread until `finish` returns.
final class InsertionThread {
    /// The number of inserted rows, and the error of the next row if one failed.
    struct Outcome: Sendable {
        var count = 0
        var failure: (any Error)?
    }

    /// The number of rows from which a thread saves time.
    static let threshold = 2000
    private static let rowsPerBatch = 512
    private static let bytesPerBatch = 512 << 10

    private let full = BoundedQueue<RowBatch>(capacity: .max)
    private let empty = BoundedQueue<RowBatch>(capacity: .max)
    private let outcome = Monitor<Outcome?>(nil)

    /// Starts a thread that inserts through `statement`, which the caller keeps until `finish` has returned.
    ///
    /// - Throws: `WorkerThread.Failure`.
    init(_ codec: EntityCodec, _ statement: Statement) throws {
        for _ in 0..<3 { _ = empty.push(RowBatch(width: codec.cellCount), weight: 1) }
        // Not retained, because the caller has it until `finish`. The thread releases its references after `finish` has
        // returned; a last reference would finalize the statement while another thread uses the connection.
        let statement = UncheckedTransfer(Unmanaged.passUnretained(statement))
        try WorkerThread.start { [full, empty, outcome] in
            var done = Outcome()
            do {
                while let batch = try full.pop() {
                    try statement.value._withUnsafeGuaranteedRef { statement in
                        try codec.insert(batch, through: statement, counting: &done.count)
                    }
                    _ = empty.push(batch, weight: 1)
                }
            } catch {
                done.failure = error
            }
            empty.cancel()
            outcome.update { $0 = done }
        }
    }

    /// Passes objects to the thread, until all are passed or one could not be inserted.
    func insert(_ objects: ArraySlice<ManagedObject>, _ codec: EntityCodec) {
        var rest = objects
        while !rest.isEmpty, let batch = try? empty.pop() {
            batch.removeAll()
            var flattened = 0
            rest.forEachUnretained { object in
                codec.flatten(object.row, key: object.key, into: batch)
                flattened += 1
                return flattened < InsertionThread.rowsPerBatch && batch.valueBytes < InsertionThread.bytesPerBatch
            }
            rest = rest.dropFirst(flattened)
            _ = full.push(batch, weight: 1)
        }
    }

    /// Waits until the thread is done; the connection belongs to the caller again.
    func finish() -> Outcome {
        full.finish()
        return outcome.wait { $0 }
    }
}

extension EntityCodec {
    func insert(_ batch: RowBatch, through statement: borrowing Statement, counting done: inout Int) throws {
        let cells = RowCells(cellCount)
        for row in 0..<batch.count {
            cells.read(row, of: batch)
            try bindInsertion(cells, to: statement)
            try statement.write()
            statement.rewind()
            done += 1
        }
    }
}
