import TributaryImport
import TributaryStore
import TributaryJSON

/// Prepared chunks that are written in one transaction.
struct RowGroup {
    /// A row of one of the chunks.
    struct Place {
        /// Its chunk.
        let chunk: Int32
        /// Its index in the batch of the chunk.
        let row: Int32
        /// How many rows of the group precede it that have the same key.
        let round: Int32
    }

    /// Its number, from 1, in feed order.
    let number: Int
    var chunks: [PreparedChunk] = []
    /// For each route the rows of each chunk, written or not.
    var batches: [[RowBatch?]]
    /// For each route its rows that are written, in feed order.
    var places: [[Place]]
    /// For each route its rows that are held back until the index is made, in feed order.
    var held: [[Place]]
    /// For each route its keys, and how many rows have each of them.
    let keys: [KeyCounts]
    /// The last earlier group that has some of the keys, whose commit the statements must wait for; 0 if there is none.
    var predecessor = 0
    /// Whether no chunk follows.
    var isLast = false
    /// The reject that ends the import after these chunks.
    var cause: JSONError?

    init(number: Int, routes: Int) {
        self.number = number
        places = Array(repeating: [], count: routes)
        held = places
        batches = Array(repeating: [], count: routes)
        keys = (0..<routes).map { _ in KeyCounts() }
    }

    /// Adds all rows of a batch to a route that has none.
    mutating func add(_ batch: RowBatch, route: Int) {
        batches[route] = [batch]
        places[route] = batch.entries.indices.map { row in
            Place(chunk: 0, row: Int32(row), round: keys[route].add(batch.entries[row].hash))
        }
    }

    /// The rows of a route in a chunk.
    func batch(_ chunk: Int32, route: Int) -> RowBatch? { batches[route][Int(chunk)] }

    /// Removes the chunks from `index` on, with their rows.
    mutating func cut(to index: Int) {
        chunks.removeLast(chunks.count - index)
        for route in places.indices {
            places[route].removeAll { $0.chunk >= index }
            held[route].removeAll { $0.chunk >= index }
        }
    }
}
