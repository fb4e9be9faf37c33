import TributaryStore
import TributarySQLite

/// Rows of the server in a database in memory, which has the schema of a store.
///
///     1. load all rows that the writing of some records, or the end of a run, may read
///     2. let the classes for a store write there
///     3. write the differences to the server
///
/// So both databases follow the same rules. The tables are locked against other writers until the transaction ends. A
/// new row has a primary key from `firstNewKey` on, until the server gives it another one.
final class RelationMirror {
    static let firstNewKey: Int64 = 1 << 50
    let schema: Schema
    let memory: Connection
    let waiting: MirroredReferences
    private let server: PostgresConnection
    private let tables: [String: MirroredTable]
    private var nextKey = RelationMirror.firstNewKey

    /// Locks the tables of entities, in the transaction of the caller.
    init(_ model: Model, _ entities: [Entity], on server: PostgresConnection) throws {
        self.server = server
        schema = Schema(model)
        var options = Connection.Options()
        // Rows refer to others that are not loaded.
        options.enforcesForeignKeys = false
        let memory = try Connection(.memory, options: options)
        self.memory = memory
        try memory.execute("BEGIN")
        for statement in schema.creation() { try memory.execute(statement) }
        waiting = try MirroredReferences(model, memory, server)
        let outlines = try PostgresRelatedTables.outlines(entities, in: schema)
        tables = Dictionary(outlines.map { ($0.name, MirroredTable($0, memory, server)) }) { first, _ in first }
        let names = (tables.keys + [MirroredReferences.name]).sorted()
        try server.execute("LOCK TABLE \(names: names) IN SHARE ROW EXCLUSIVE MODE")
        // The rows of many keys are looked up one by one: a join of another kind reads the whole table.
        try server.execute("SET LOCAL enable_hashjoin = off")
        try server.execute("SET LOCAL enable_mergejoin = off")
    }

    /// Reserves primary keys of new rows; returns the first one.
    func reserve(_ count: Int) -> Int64 {
        defer { nextKey += Int64(count) }
        return nextKey
    }

    func table(_ name: String) -> MirroredTable {
        guard let table = tables[name] else { fatalError("internal error: \(name) is not mirrored") }
        return table
    }

    // MARK: Loading

    /// Loads what a `LinkWriter` reads for events of owners that name others in a relationship.
    func loadPairs(
        _ storage: PairStorage, _ relationship: RelationshipProperty, of owners: Set<Int64>, others: Set<Int64>
    ) throws {
        let isFromTarget = storage.relationship != relationship
        var (sources, targets): (Set<Int64>, Set<Int64>) = isFromTarget ? ([], owners) : (owners, [])
        if isFromTarget, storage.targetOrder != nil { sources = others }
        if !isFromTarget, storage.isColumn || storage.sourceOrder != nil { targets = others }
        if storage.isSymmetric { targets.formUnion(sources) }
        try table(storage.table).load(where: storage.source, in: sources)
        try table(storage.table).load(where: storage.target, in: targets)
    }

    /// Loads the partners of all loaded objects, and theirs.
    func loadPartners(_ relationship: RelationshipProperty) throws {
        for _ in 0..<2 {
            for side in [relationship, relationship.inverse].compactMap(\.self) {
                try table(side.destination.name).load(where: "_pk", in: targets(of: side))
            }
        }
    }

    /// The objects that the loaded ones lead to by a to-one relationship.
    private func targets(of relationship: RelationshipProperty) throws -> [Int64] {
        guard let column = relationship.column(in: schema) else { return [] }
        let rows = try memory.rows(
            of: """
                SELECT \(identifier: column) FROM \(identifier: relationship.entity.name)
                WHERE \(identifier: column) IS NOT NULL
                """)
        return rows.compactMap { if case .integer(let key) = $0[0] { key } else { nil } }
    }

    /// Loads what the deletion of any loaded object of an entity reads.
    func loadSurroundings(of entity: Entity) throws {
        var known: [Entity: Set<Int64>] = [:]
        var open: Set<Entity> = [entity]
        while let entity = open.popFirst() {
            let new = table(entity.name).keys.subtracting(known[entity] ?? [])
            guard !new.isEmpty else { continue }
            known[entity, default: []].formUnion(new)
            for end in schema.joinEnds(of: entity) where tables[end.table] != nil {
                try table(end.table).load(where: end.column, in: new)
            }
            for relationship in entity.relationships where !relationship.isTransient {
                let destination = relationship.destination
                if let column = relationship.inverse?.column(in: schema) {
                    try table(destination.name).load(where: column, in: new)
                }
                // A cascade deletes them too; others may need a number of objects.
                let isCounted = relationship.inverse.map { !$0.isOptional || $0.declaration.minimumCount > 0 } ?? false
                guard relationship.deleteRule == .cascade || isCounted else { continue }
                if relationship.column(in: schema) != nil {
                    try table(destination.name).load(where: "_pk", in: targets(of: relationship))
                } else if let storage = PairStorage(relationship, in: schema) {
                    let isFromTarget = storage.relationship != relationship
                    let others = try storage.others(of: new, areTargets: isFromTarget, on: memory).values.joined()
                    try table(destination.name).load(where: "_pk", in: others)
                }
                if isCounted, let inverse = relationship.inverse, let storage = PairStorage(inverse, in: schema) {
                    try loadPairs(storage, inverse, of: table(destination.name).keys, others: [])
                }
                if relationship.deleteRule == .cascade { open.insert(destination) }
            }
        }
    }

    // MARK: Writing

    /// Writes all differences to the server.
    func write() throws {
        var numbers = NewKeys()
        var changes: [(table: MirroredTable, changes: MirroredTable.Changes)] = []
        for (name, table) in tables.sorted(by: { $0.key < $1.key }) {
            let found = try table.changes()
            changes.append((table, found))
            guard table.outline.entity != nil else { continue }
            let new = found.added.compactMap { if case .integer(let key) = $0[0] { key } else { nil } }
            try numbers.reserve(new, of: name, server)
        }
        for (table, found) in changes { try table.write(found, numbers) }
        for (table, found) in changes { try table.insert(found, numbers) }
        try waiting.write(numbers)
    }
}
