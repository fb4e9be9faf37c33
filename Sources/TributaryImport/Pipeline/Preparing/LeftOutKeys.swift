import TributaryStore
import TributaryJSON

/// The keys of the records of a chunk that filters leave out in a sync, whose rows count as seen.
struct LeftOutKeys {
    private let choice: RouteChoice
    private let makings: [ChunkMaker.Making]
    /// For each route how the key of a record is read; nil where that is up to its inferred columns.
    private let keys: [RecordKey?]
    private var batches: [Int: RowBatch] = [:]
    private var inferred: [Int: InferredRows] = [:]

    init(_ choice: RouteChoice, _ makings: [ChunkMaker.Making], _ keys: [RecordKey?]) {
        (self.choice, self.makings, self.keys) = (choice, makings, keys)
    }

    /// The keys of each route.
    var all: [(route: Int, keys: RowBatch)] {
        (batches.map { ($0.key, $0.value) } + inferred.map { ($0.key, $0.value.batch) }).sorted { $0.route < $1.route }
    }

    /// Adds the key of a record that no route takes; returns why it has none, and its route.
    mutating func add(_ record: Record) -> (route: Int, error: JSONError)? {
        guard let route = choice.candidate(of: record) else { return nil }
        let error: JSONError?
        if case .inferred(let maker) = makings[route] {
            let rows = inferred[route] ?? InferredRows(maker, maker.begin(), expecting: 0, bytes: 4096)
            inferred[route] = rows
            error = rows.addKey(of: record)
        } else if let key = keys[route], let values = key.values(of: record) {
            let batch = batches[route] ?? RowBatch(width: values.count, capacity: 4096)
            batches[route] = batch
            batch.begin(ordinal: batch.count)
            for value in values { batch.add(value) }
            error = nil
        } else {
            error = keys[route]?.failure(of: record) ?? JSONError(.keyMissing, "found no key")
        }
        return error.map { (route, $0) }
    }
}
