package import TributarySQLite

/// The references of one relation that wait for their objects.
package struct WaitingRelation {
    /// A reference whose object is there now.
    package struct Match: Sendable {
        package let id: Int64
        package let owner: Int64
        package let position: Int64
        package let target: Int64
    }

    /// Its name in the table.
    package let name: String
    private let relationship: RelationshipProperty
    private let schema: Schema
    private let owners: TableLayout
    /// The condition that a row `t` has the key of the reference `w`.
    private let match: String
    private let targetTable: String
    /// The column of a to-one relationship, which must be empty.
    private let column: String?
    /// The condition that an object is linked to no other owner, if it can have one only.
    private let isFree: String
    private let keyCount: Int
    /// The number of references that are resolved together.
    private static let slice = 50_000

    /// A relation by its name in the table; nil if its entities have no tables.
    package init?(
        _ name: String, _ relationship: RelationshipProperty, to destination: Entity, key: [AttributeProperty],
        in schema: Schema
    ) {
        guard let owners = schema.table(of: relationship.entity), let targets = schema.table(of: destination) else {
            return nil
        }
        let columns = key.compactMap { targets.column(.attribute($0), of: destination)?.name }
        guard columns.count == key.count, !key.isEmpty else { return nil }
        self.name = name
        self.relationship = relationship
        self.schema = schema
        self.owners = owners
        keyCount = key.count
        targetTable = SQLIdentifier(targets.name).quoted
        column =
            relationship.isToMany
            ? nil
            : owners.column(.relationship(relationship), of: relationship.entity).map { SQLIdentifier($0.name).quoted }
        let storage = PairStorage(relationship, in: schema)
        isFree =
            relationship.isToMany && storage?.isColumn ?? false
            ? " AND t.\(SQLIdentifier(storage?.source ?? "").quoted) IS NULL" : ""
        let conditions = columns.enumerated().map { "t.\(SQLIdentifier($1).quoted) = w.\"key\($0)\"" }
        let kind = destination == targets.root ? [] : [Schema.condition(of: destination, in: "t.").text]
        match = (conditions + kind).joined(separator: " AND ")
    }

    private var waiting: String { SQLIdentifier(WaitingTable.name).quoted }

    /// Links all owners whose objects are there now, and forgets the references of owners that are not.
    ///
    /// - Returns: The primary keys of the changed owners and objects.
    /// - Throws: `SQLiteError`.
    package func resolve(on connection: Connection) throws -> (owners: Set<Int64>, targets: Set<Int64>) {
        var changed: (owners: Set<Int64>, targets: Set<Int64>) = ([], [])
        var last: Int64 = 0
        while true {
            let matches = try next(after: last, on: connection)
            guard let end = matches.last else { break }
            last = end.id
            let some = try link(matches, on: connection)
            changed.owners.formUnion(some.owners)
            changed.targets.formUnion(some.targets)
        }
        try execute(
            "DELETE FROM \(waiting) AS w WHERE w.\"relation\" = ?1 AND (EXISTS"
                + " (SELECT 1 FROM \(targetTable) AS t WHERE \(match)) OR NOT EXISTS"
                + " (SELECT 1 FROM \(SQLIdentifier(owners.name).quoted) AS o WHERE o.\"_pk\" = w.\"owner\"))",
            on: connection)
        return changed
    }

    private func next(after last: Int64, on connection: Connection) throws -> [Match] {
        try matches(
            "SELECT w.\"id\", w.\"owner\", w.\"position\", t.\"_pk\" FROM \(waiting) AS w"
                + " CROSS JOIN \(ownerJoin) CROSS JOIN \(targetTable) AS t ON \(match)\(isFree)"
                + " WHERE w.\"relation\" = ?1 AND w.\"id\" > ?2 ORDER BY w.\"id\" LIMIT \(WaitingRelation.slice)",
            after: last, on: connection)
    }

    /// The owners of references, of which a to-one relationship must be empty.
    private var ownerJoin: String {
        let isEmpty = column.map { " AND o.\($0) IS NULL" } ?? ""
        return "\(SQLIdentifier(owners.name).quoted) AS o ON o.\"_pk\" = w.\"owner\"\(isEmpty)"
    }

    /// The references that wait for new objects, in their order; they wait no longer.
    ///
    /// - Throws: `SQLiteError`.
    package func take(for targets: [Int64], on connection: Connection) throws -> [Match] {
        guard !targets.isEmpty else { return [] }
        let cells = targets.map { SQLCell($0) }
        let found = try cells.withUnsafeBufferPointer { cells in
            try connection.keys.withRows(cells, width: 1) {
                try matches(
                    "SELECT w.\"id\", w.\"owner\", w.\"position\", t.\"_pk\""
                        + " FROM \(SQLIdentifier(KeyTable.name).quoted) AS k"
                        + " CROSS JOIN \(targetTable) AS t ON t.\"_pk\" = k.\"c0\""
                        + " CROSS JOIN \(waiting) AS w ON w.\"relation\" = ?1 AND \(match)"
                        + " CROSS JOIN \(SQLIdentifier(owners.name).quoted) AS o ON o.\"_pk\" = w.\"owner\""
                        + " ORDER BY w.\"id\"", on: connection)
            }
        }
        try connection.withUnboundStatement("DELETE FROM \(waiting) WHERE \"id\" = ?") { statement in
            for match in found { try statement.run(match.id) }
        }
        return found
    }

    private func matches(_ sql: String, after last: Int64? = nil, on connection: Connection) throws -> [Match] {
        var matches: [Match] = []
        try connection.withUnboundStatement(sql) { row in
            try row.bind(name, at: 0)
            if let last { try row.bind(SQLCell(last), at: 1) }
            while try row.step() {
                matches.append(
                    Match(
                        id: row.integer(at: 0), owner: row.integer(at: 1), position: row.integer(at: 2),
                        target: row.integer(at: 3)))
            }
        }
        return matches
    }

    /// Links owners of a relation that is in a column of their rows alone.
    ///
    /// - Returns: The primary keys of the changed owners and objects.
    /// - Throws: `SQLiteError`.
    package func fill(_ matches: [Match], on connection: Connection) throws {
        guard let column, !matches.isEmpty else { return }
        let sql =
            "UPDATE \(SQLIdentifier(owners.name).quoted) SET \(column) = ?, \"_version\" = \"_version\" + 1"
            + " WHERE \"_pk\" = ? AND \(column) IS NULL"
        try connection.withUnboundStatement(sql) { statement in
            for match in matches { try statement.run(match.target, match.owner) }
        }
    }

    private func link(
        _ matches: [Match], on connection: Connection
    ) throws -> (owners: Set<Int64>, targets: Set<Int64>) {
        if let storage = PairStorage(relationship, in: schema) {
            var events: [LinkEvent] = []
            var others = LinkOthers()
            for match in matches {
                let first = others.count
                others.add(match.target, position: Int(match.position))
                events.append(
                    LinkEvent(
                        owner: match.owner, isNew: false, isFromTarget: storage.relationship != relationship,
                        action: relationship.isToMany ? .place : .replace, others: first..<others.count, row: 0,
                        isWritten: false))
            }
            let changes = try LinkWriter(storage, on: connection).apply(events, others)
            let isForward = storage.relationship == relationship
            return isForward ? (changes.sources, changes.targets) : (changes.targets, changes.sources)
        }
        if let storage = OneToOneStorage(relationship, in: schema) {
            let changed = try storage.apply(matches.map { .owner($0.owner, $0.target) }, on: connection)
            return (changed.owners, changed.partners)
        }
        try fill(matches, on: connection)
        return (Set(matches.map(\.owner)), [])
    }

    /// The keys that references of a run wait for, each once, in the order of their owners.
    ///
    /// - Throws: `SQLiteError`.
    package func keys(ofRun run: Int, limit: Int, on connection: Connection) throws -> [[SQLValue]] {
        let list = (0..<keyCount).map { "w.\"key\($0)\"" }.joined(separator: ", ")
        var keys: [[SQLValue]] = []
        let sql =
            "SELECT \(list) FROM \(waiting) AS w WHERE w.\"relation\" = ?1 AND w.\"run\" = \(run) AND NOT EXISTS"
            + " (SELECT 1 FROM \(targetTable) AS t WHERE \(match)) GROUP BY \(list)"
            + " ORDER BY MIN(w.\"owner\"), MIN(w.\"position\") LIMIT \(limit)"
        try connection.withUnboundStatement(sql) { row in
            try row.bind(name, at: 0)
            while try row.step() { keys.append((0..<keyCount).map { row.value(at: $0) }) }
        }
        return keys
    }

    /// The number of references of a run that wait.
    ///
    /// - Throws: `SQLiteError`.
    package func count(ofRun run: Int, on connection: Connection) throws -> Int {
        let count = try connection.integer(
            of: """
                SELECT COUNT(*) FROM \(identifier: WaitingTable.name) WHERE "relation" = \(name) AND "run" = \(run)
                """)
        return Int(count ?? 0)
    }

    /// Forgets the references of a run.
    ///
    /// - Throws: `SQLiteError`.
    package func forget(run: Int, on connection: Connection) throws {
        try connection.execute(
            "DELETE FROM \(identifier: WaitingTable.name) WHERE \"relation\" = \(name) AND \"run\" = \(run)")
    }

    private func execute(_ sql: String, on connection: Connection) throws {
        try connection.withUnboundStatement(sql) { statement in
            try statement.bind(name, at: 0)
            _ = try statement.step()
        }
    }
}
