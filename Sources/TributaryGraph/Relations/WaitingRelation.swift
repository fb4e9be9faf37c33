package import TributarySQLite

/// The references of one relation that wait for their objects.
package struct WaitingRelation {
    /// A reference whose object is there now.
    private struct Match {
        let owner: Int64
        let position: Int64
        let target: Int64
    }

    private let name: String
    private let relationship: RelationshipProperty
    private let schema: Schema
    private let owners: TableLayout
    /// The condition that a row `t` has the key of the reference `w`.
    private let match: String
    private let targetTable: String
    private let column: String?
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
        column = relationship.isToMany
            ? nil : owners.column(.relationship(relationship), of: relationship.entity).map { SQLIdentifier($0.name).quoted }
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
        var last: (owner: Int64, position: Int64) = (-1, -1)
        while true {
            let matches = try next(after: last, on: connection)
            guard let end = matches.last else { break }
            last = (end.owner, end.position)
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

    private func next(after last: (owner: Int64, position: Int64), on connection: Connection) throws -> [Match] {
        let isFree = column.map { " AND o.\($0) IS NULL" } ?? ""
        let sql =
            "SELECT w.\"owner\", w.\"position\", t.\"_pk\" FROM \(waiting) AS w"
            + " CROSS JOIN \(SQLIdentifier(owners.name).quoted) AS o ON o.\"_pk\" = w.\"owner\"\(isFree)"
            + " CROSS JOIN \(targetTable) AS t ON \(match)"
            + " WHERE w.\"relation\" = ?1 AND (w.\"owner\", w.\"position\") > (?2, ?3)"
            + " ORDER BY w.\"owner\", w.\"position\" LIMIT \(WaitingRelation.slice)"
        var matches: [Match] = []
        try connection.withUnboundStatement(sql) { row in
            var name = name
            try name.withUTF8 { try row.bind(SQLCell(text: UnsafeRawBufferPointer($0)), at: 0) }
            try row.bind(SQLCell(last.owner), at: 1)
            try row.bind(SQLCell(last.position), at: 2)
            while try row.step() {
                matches.append(
                    Match(owner: row.integer(at: 0), position: row.integer(at: 1), target: row.integer(at: 2)))
            }
        }
        return matches
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
            let changed = try storage.apply(matches.map { ($0.owner, $0.target) }, on: connection)
            return (changed.owners, changed.partners)
        }
        guard let column else { return ([], []) }
        let sql =
            "UPDATE \(SQLIdentifier(owners.name).quoted) SET \(column) = ?, \"_version\" = \"_version\" + 1"
            + " WHERE \"_pk\" = ?"
        try connection.withUnboundStatement(sql) { statement in
            for match in matches {
                try statement.bind(SQLCell(match.target), at: 0)
                try statement.bind(SQLCell(match.owner), at: 1)
                _ = try statement.step()
                statement.rewind()
            }
        }
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
            var name = name
            try name.withUTF8 { try row.bind(SQLCell(text: UnsafeRawBufferPointer($0)), at: 0) }
            while try row.step() { keys.append((0..<keyCount).map { row.value(at: $0) }) }
        }
        return keys
    }

    /// The number of references of a run that wait.
    ///
    /// - Throws: `SQLiteError`.
    package func count(ofRun run: Int, on connection: Connection) throws -> Int {
        let value = try connection.value(
            of: """
                SELECT COUNT(*) FROM \(identifier: WaitingTable.name) WHERE "relation" = \(name) AND "run" = \(run)
                """)
        if case .integer(let count)? = value { return Int(count) }
        return 0
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
            var name = name
            try name.withUTF8 { try statement.bind(SQLCell(text: UnsafeRawBufferPointer($0)), at: 0) }
            _ = try statement.step()
        }
    }
}
