import TributaryConcurrency
import TributarySQLite

/// Inserts rows on a thread of its own, while the caller flattens the next ones.
///
/// Inserting a row takes several times as long as flattening an object, so a save of many objects takes hardly longer
/// than SQLite alone.
struct InsertionThread {
    /// The number of rows from which a thread saves time.
    static let threshold = 2000

    private let exchange: RowExchange
    private let count = Guarded(0)

    /// Starts a thread that inserts through `statement`, which the caller keeps until `finish` has returned.
    init(_ codec: EntityCodec, _ statement: Statement) throws {
        exchange = try RowExchange(width: codec.cellCount, statement) { [count] exchange, statement in
            var done = 0
            defer { count.withLock { $0 = done } }
            while let batch = try exchange.full.pop() {
                try codec.insert(batch, through: statement, counting: &done)
                _ = exchange.empty.push(batch, weight: 1)
            }
        }
    }

    /// Passes objects to the thread, until all are passed or one could not be inserted.
    func insert(_ objects: ArraySlice<ManagedObject>, _ codec: EntityCodec) {
        var rest = objects
        while !rest.isEmpty, let batch = try? exchange.empty.pop() {
            batch.removeAll()
            var flattened = 0
            rest.forEachUnretained { object in
                codec.flatten(object.row, key: object.key, into: batch)
                flattened += 1
                return flattened < RowExchange.rowsPerBatch && batch.valueBytes < RowExchange.bytesPerBatch
            }
            rest = rest.dropFirst(flattened)
            _ = exchange.full.push(batch, weight: 1)
        }
    }

    /// Waits until the thread is done; returns the number of inserted rows, and the error of the next row if one failed.
    func finish() -> (count: Int, failure: (any Error)?) {
        exchange.full.finish()
        let failure = exchange.waitForEnd()
        return (count.withLock { $0 }, failure)
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
