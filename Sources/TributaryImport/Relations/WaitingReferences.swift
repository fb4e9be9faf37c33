import TributaryStore
import TributarySQLite

/// The references of a group whose objects are not there yet.
struct WaitingReferences {
    /// A reference to an object that is not there.
    struct Reference {
        let relation: String
        let owner: Int64
        /// Its position in the list of its record.
        let position: Int
        /// The key of the object.
        let key: [SQLValue]
        /// Its place among all references of the group.
        var sequence = 0
    }

    private struct Owner: Hashable {
        let relation: String
        let key: Int64
    }

    private struct Object: Hashable {
        let relation: String
        let key: [SQLValue]
    }

    private var references: [Owner: [Reference]] = [:]
    private var sequence = 0
    /// The latest reference to each object that can have one owner only.
    private var claims: [Object: Int] = [:]
    /// For each relation with references in the store the owners for which it was set again.
    private(set) var ownersSetAgain: [String: Set<Int64>]

    /// Whether a relation has references, in the store or in the group.
    func contains(_ relation: String) -> Bool { !references.isEmpty || ownersSetAgain[relation] != nil }

    /// No references yet; `known` are the relations with references in the store.
    init(known: some Sequence<String>) { ownersSetAgain = Dictionary(known.map { ($0, []) }) { first, _ in first } }

    /// Forgets earlier references of an owner, whose relation is set again.
    mutating func discardEarlier(_ relation: String, _ owner: Int64) {
        if !references.isEmpty { references[Owner(relation: relation, key: owner)] = nil }
        if !ownersSetAgain.isEmpty { ownersSetAgain[relation]?.insert(owner) }
    }

    /// Adds a reference; an object that can have one owner only waits for the latest one, and one without a key is not
    /// waited for.
    mutating func add(_ reference: Reference, isExclusive: Bool) {
        guard !reference.key.isEmpty else { return }
        var reference = reference
        reference.sequence = sequence
        if isExclusive { claims[Object(relation: reference.relation, key: reference.key)] = sequence }
        sequence += 1
        references[Owner(relation: reference.relation, key: reference.owner), default: []].append(reference)
    }

    /// Stores the references, in place of earlier ones of the same owners, and of the same objects.
    func write(run: Int, on connection: Connection) throws {
        for (relation, owners) in ownersSetAgain where !owners.isEmpty {
            try WaitingTable.clear(relation, of: owners.sorted(), on: connection)
        }
        for object in claims.keys where ownersSetAgain[object.relation] != nil {
            try WaitingTable.clear(object.relation, to: object.key, on: connection)
        }
        let kept = references.values.joined().filter { reference in
            claims[Object(relation: reference.relation, key: reference.key)].map { $0 == reference.sequence } ?? true
        }
        var rest = kept.sorted { $0.sequence < $1.sequence }[...]
        // Consecutive references of one relation are inserted together, so that all keep their order.
        while let relation = rest.first?.relation {
            let some = rest.prefix { $0.relation == relation }
            rest = rest[some.endIndex...]
            try WaitingTable.insert(relation, some.map { ($0.owner, $0.position, $0.key) }, run: run, on: connection)
        }
    }
}
