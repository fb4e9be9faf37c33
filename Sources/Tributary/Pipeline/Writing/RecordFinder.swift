import TributaryJSON

/// Finds the records of rows again, for messages; nothing is done before the first one is wanted.
final class RecordFinder {
    private let chunks: ArraySlice<PreparedChunk>
    private let routes: [Int]
    private let table: Int
    /// For each chunk and number the place of the record.
    private var places: [Int: [Int]] = [:]

    /// Finds records in chunks by their numbers in the table of a route.
    init(_ chunks: ArraySlice<PreparedChunk>, routes tables: [Int], route: Int) {
        self.chunks = chunks
        routes = tables
        table = tables[route]
    }

    /// The record of a number; nil if the chunk has let its records go.
    func record(_ offset: Int, _ ordinal: Int) -> Record? {
        guard let records = chunks[chunks.startIndex + offset].chunk else { return nil }
        let found =
            places[offset] ?? records.indices.filter { routes[min(records[$0].route, routes.count - 1)] == table }
        places[offset] = found
        return ordinal < found.count ? records[found[ordinal]] : nil
    }
}
