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
    private let match: SQLFragment
    /// The same for a search by the key in the reference: SQLite does not use an index on a column without a type
    /// for a comparison with one that has one, unless a plus takes its type away.
    private let matchByKey: SQLFragment
    private let targetTable: SQLFragment
    /// The column of a to-one relationship, which must be empty.
    private let column: SQLFragment?
    /// The condition that an object is linked to no other owner, if it can have one only.
    private let isFree: SQLFragment
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
        targetTable = "\(identifier: targets.name)"
        let layout = owners.column(.relationship(relationship), of: relationship.entity)
        column = relationship.isToMany ? nil : layout.map { "\(identifier: $0.name)" }
        let storage = relationship.isToMany ? PairStorage(relationship, in: schema) : nil
        isFree =
            if let storage, storage.isColumn { " AND t.\(identifier: storage.source) IS NULL" } else { "" }
        func conditions(_ sign: SQLFragment) -> [SQLFragment] {
            columns.enumerated().map { index, column -> SQLFragment in
                "\(sign)t.\(identifier: column) = w.\(identifier: "key\(index)")"
            }
        }
        let kind = destination == targets.root ? [] : [Schema.condition(of: destination, in: "t.")]
        match = (conditions("") + kind).joined(separator: " AND ")
        matchByKey = (conditions("+") + kind).joined(separator: " AND ")
    }

    private var waiting: SQLFragment { "\(identifier: WaitingTable.name)" }

    /// Links all owners whose objects are there now, and forgets the references of owners that are not.
    ///
    /// - Returns: The primary keys of the changed owners and objects.
    package func resolve(on connection: Connection) throws -> (owners: Set<Int64>, targets: Set<Int64>) {
        var changed: (owners: Set<Int64>, targets: Set<Int64>) = ([], [])
        var last: Int64 = 0
        while true {
            // Of a to-one relationship the owners must have none.
            let isEmpty: SQLFragment = column.map { " AND o." + $0 + " IS NULL" } ?? ""
            let matches = try matches(
                """
                SELECT w."id", w."owner", w."position", t."_pk" FROM \(waiting) AS w
                CROSS JOIN \(identifier: owners.name) AS o ON o."_pk" = w."owner"\(isEmpty)
                CROSS JOIN \(targetTable) AS t ON \(match)\(isFree)
                WHERE w."relation" = \(name) AND w."id" > \(last) ORDER BY w."id" LIMIT \(WaitingRelation.slice)
                """, on: connection)
            guard let end = matches.last else { break }
            last = end.id
            let some = try link(matches, on: connection)
            changed.owners.formUnion(some.owners)
            changed.targets.formUnion(some.targets)
        }
        try connection.execute(
            """
            DELETE FROM \(waiting) AS w WHERE w."relation" = \(name) AND (EXISTS
            (SELECT 1 FROM \(targetTable) AS t WHERE \(match)) OR NOT EXISTS
            (SELECT 1 FROM \(identifier: owners.name) AS o WHERE o."_pk" = w."owner"))
            """)
        return changed
    }

    /// The references that wait for new objects, in their order; they wait no longer.
    package func take(for targets: [Int64], on connection: Connection) throws -> [Match] {
        guard !targets.isEmpty else { return [] }
        let found = try connection.keys.withKeys(targets) {
            try matches(
                """
                SELECT w."id", w."owner", w."position", t."_pk" FROM \(identifier: KeyTable.name) AS k
                CROSS JOIN \(targetTable) AS t ON t."_pk" = k."c0"
                CROSS JOIN \(waiting) AS w ON w."relation" = \(name) AND \(matchByKey)
                CROSS JOIN \(identifier: owners.name) AS o ON o."_pk" = w."owner" ORDER BY w."id"
                """, on: connection)
        }
        let removal: SQLFragment = "DELETE FROM \(waiting) WHERE \"id\" = ?"
        try connection.withUnboundStatement(removal.text) { statement in
            for match in found { try statement.run(match.id) }
        }
        return found
    }

    private func matches(_ query: SQLFragment, on connection: Connection) throws -> [Match] {
        try connection.rows(of: query) { row in
            Match(
                id: row.integer(at: 0), owner: row.integer(at: 1), position: row.integer(at: 2),
                target: row.integer(at: 3))
        }
    }

    /// Links owners of a relation that is in a column of their rows alone.
    package func fill(_ matches: [Match], on connection: Connection) throws {
        guard let column, !matches.isEmpty else { return }
        let update: SQLFragment = """
            UPDATE \(identifier: owners.name) SET \(column) = ?, "_version" = "_version" + 1
            WHERE "_pk" = ? AND \(column) IS NULL
            """
        try connection.withUnboundStatement(update.text) { statement in
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
            let changed = try storage.apply(matches.map { .init(owner: $0.owner, partner: $0.target) }, on: connection)
            return (changed.owners, changed.partners)
        }
        try fill(matches, on: connection)
        return (Set(matches.map(\.owner)), [])
    }

    /// The keys that references of a run wait for, each once, in the order of their owners.
    package func keys(ofRun run: Int, limit: Int, on connection: Connection) throws -> [[SQLValue]] {
        let list = (0..<keyCount).map { index -> SQLFragment in "w.\(identifier: "key\(index)")" }
        return try connection.rows(
            of: """
                SELECT \(list) FROM \(waiting) AS w WHERE w."relation" = \(name) AND w."run" = \(run) AND NOT EXISTS
                (SELECT 1 FROM \(targetTable) AS t WHERE \(match)) GROUP BY \(list)
                ORDER BY MIN(w."owner"), MIN(w."position") LIMIT \(limit)
                """)
    }

    /// The number of references of a run that wait.
    package func count(ofRun run: Int, on connection: Connection) throws -> Int {
        let count = try connection.integer(
            of: """
                SELECT COUNT(*) FROM \(waiting) WHERE "relation" = \(name) AND "run" = \(run)
                """)
        return Int(count ?? 0)
    }

    /// Forgets the references of a run.
    package func forget(run: Int, on connection: Connection) throws {
        try connection.execute(
            "DELETE FROM \(waiting) WHERE \"relation\" = \(name) AND \"run\" = \(run)")
    }
}
