import TributaryGraph
import TributarySQLite

/// The references of a group whose objects are not there yet.
struct WaitingReferences {
    /// A reference to an object that is not there.
    struct Reference {
        /// Its position in the list of its record.
        let position: Int
        /// Its place among all references of the group.
        var sequence = 0
        let chunk: Int
        /// The row with the key of the object.
        let target: RelatedChunk.RowID
    }

    /// An owner and the name of one of its relations.
    struct Owner: Hashable {
        let relation: String
        let key: Int64
    }

    private(set) var references: [Owner: [Reference]] = [:]
    private var sequence = 0
    /// For each relation with references in the store the owners for which it was set again.
    private(set) var settled: [String: Set<Int64>]

    /// Whether a relation has references, in the store or in the group.
    func contains(_ relation: String) -> Bool { !references.isEmpty || settled[relation] != nil }

    /// No references yet; `known` are the relations with references in the store.
    init(known: some Sequence<String>) { settled = Dictionary(known.map { ($0, []) }) { first, _ in first } }

    /// Forgets earlier references of an owner, whose relation is set again.
    mutating func settle(_ relation: String, _ owner: Int64) {
        if !references.isEmpty { references[Owner(relation: relation, key: owner)] = nil }
        if !settled.isEmpty { settled[relation]?.insert(owner) }
    }

    /// Adds a reference.
    mutating func add(_ relation: String, _ owner: Int64, _ reference: Reference) {
        var reference = reference
        reference.sequence = sequence
        sequence += 1
        references[Owner(relation: relation, key: owner), default: []].append(reference)
    }
}

extension RelatedWriter {
    /// Stores the references of a group that wait, in place of earlier ones of the same owners.
    func writeWaiting(_ group: Group, on connection: Connection) throws {
        for (relation, owners) in group.waiting.settled where !owners.isEmpty {
            try WaitingTable.clear(relation, of: owners.sorted(), on: connection)
        }
        let width = WaitingTable.keyWidth + 2
        let all = group.waiting.references.flatMap { owner, references in references.map { (owner, $0) } }
            .sorted { $0.1.sequence < $1.1.sequence }
        var start = 0
        // Consecutive references of one relation are inserted together, so that all keep their order.
        while start < all.count {
            let relation = all[start].0.relation
            let references = all[start...].prefix { $0.0.relation == relation }.map { ($0.0.key, $0.1) }
            start += references.count
            let cells = UnsafeMutableBufferPointer<SQLCell>.allocate(capacity: references.count * width)
            defer { cells.deallocate() }
            cells.initialize(repeating: .null)
            for (index, (owner, reference)) in references.enumerated() {
                cells[index * width] = SQLCell(owner)
                cells[index * width + 1] = SQLCell(Int64(reference.position))
                let table = plan.units[Int(reference.target.unit)].maker.table
                let batch = group.shares[reference.chunk].chunk.units[Int(reference.target.unit)].batch
                let row = UnsafeMutableBufferPointer<SQLCell>.allocate(capacity: table.columns.count)
                defer { row.deallocate() }
                batch.read(Int(reference.target.row), into: row)
                for (part, column) in table.key.enumerated() { cells[index * width + 2 + part] = row[column] }
            }
            try WaitingTable.insert(relation, UnsafeBufferPointer(cells), run: run, on: connection)
        }
    }
}
