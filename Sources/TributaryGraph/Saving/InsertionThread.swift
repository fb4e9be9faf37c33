import TributaryConcurrency
import TributarySQLite

/// Inserts rows on a thread of its own, while the caller flattens those that come next.
///
///     caller    objects ─ flatten ─▶ full batches ──▶   thread    bind, step
///                           empty batches ◀─────────────────┘
///
/// SQLite takes several times as long for a row as it takes to look through an object: so a save of many objects takes
/// hardly longer than SQLite alone. The connection belongs to the thread until `finish` gives back how far it came.
final class InsertionThread {
    /// What has become of the rows: how many are inserted, and why the next one is not.
    struct Ending: Sendable {
        var count = 0
        var failure: (any Error)?
    }

    /// From how many rows on a thread is worth while.
    static let threshold = 2000
    private static let rowsPerBatch = 512
    private static let bytesPerBatch = 512 << 10

    private let full = BoundedQueue<RowBatch>(capacity: .max)
    private let empty = BoundedQueue<RowBatch>(capacity: .max)
    private let ending = Monitor<Ending?>(nil)

    /// Starts a thread that inserts through `statement`, which the caller keeps until `finish` has returned.
    ///
    /// - Throws: what WorkerThread throws.
    init(_ codec: EntityCodec, _ statement: Statement) throws {
        for _ in 0..<3 { _ = empty.push(RowBatch(width: codec.cellCount), weight: 1) }
        // Not retained: the caller has it until `finish`. The thread lets go of what it holds only after it has told
        // its end; were its reference the last one, it would finalize the statement while another has the connection.
        let statement = UncheckedTransfer(Unmanaged.passUnretained(statement))
        try WorkerThread.start { [full, empty, ending] in
            var done = Ending()
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
            ending.update { $0 = done }
        }
    }

    /// Hands objects to the thread, until there is no more or one could not be inserted.
    func insert(_ objects: ArraySlice<ManagedObject>, _ codec: EntityCodec) {
        var rest = objects
        while !rest.isEmpty, let batch = try? empty.pop() {
            batch.removeAll()
            var taken = 0
            rest.forEachUnretained { object in
                codec.flatten(object.row, key: object.key, into: batch)
                taken += 1
                return taken < InsertionThread.rowsPerBatch && batch.valueBytes < InsertionThread.bytesPerBatch
            }
            rest = rest.dropFirst(taken)
            _ = full.push(batch, weight: 1)
        }
    }

    /// Waits until all is done; the connection belongs to the caller again.
    func finish() -> Ending {
        full.finish()
        return ending.wait { $0 }
    }
}

extension EntityCodec {
    /// Inserts the rows of a batch, and counts them.
    func insert(_ batch: RowBatch, through statement: borrowing Statement, counting done: inout Int) throws {
        let cells = RowCells(cellCount)
        for row in 0..<batch.count {
            cells.read(row, of: batch)
            try bindInsertion(cells, to: statement)
            _ = try statement.step()
            statement.rewind()
            done += 1
        }
    }
}
