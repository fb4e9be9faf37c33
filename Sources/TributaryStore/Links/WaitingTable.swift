package import TributarySQLite

/// The references of stored objects to objects that are not there yet, by the keys of these.
package enum WaitingTable {
    static let name = "_waiting"
    /// The largest number of attributes of a key that can be waited for.
    package static let keyWidth = 8
    private static var keys: [String] { (0..<keyWidth).map { "\"key\($0)\"" } }
    private static var table: String { SQLIdentifier(name).quoted }

    /// The statements that create the table; the ids of references ascend in the order in which they were made.
    private static var creation: [String] {
        [
            "CREATE TABLE IF NOT EXISTS \(table) (\"id\" INTEGER PRIMARY KEY, \"relation\" TEXT NOT NULL,"
                + " \"owner\" INTEGER NOT NULL, \"position\" INTEGER NOT NULL, \"run\" INTEGER NOT NULL,"
                + " \(keys.joined(separator: ", ")), UNIQUE (\"relation\", \"owner\", \"position\"))",
            "CREATE INDEX IF NOT EXISTS \"_index._waiting.key\" ON \(table) (\"relation\", \"key0\")",
        ]
    }

    /// Creates the table, unless it exists.
    package static func create(on connection: Connection) throws {
        for statement in creation { try connection.execute(SQLFragment(trusted: statement)) }
    }

    /// Whether any reference waits.
    package static func isEmpty(on connection: Connection) throws -> Bool {
        try TableRows.isEmpty(name, on: connection)
    }

    /// Those of some relations that have references.
    package static func relations(among names: [String], on connection: Connection) throws -> [String] {
        guard try !isEmpty(on: connection) else { return [] }
        return try names.filter { name in
            try connection.hasRows("SELECT 1 FROM \(identifier: Self.name) WHERE \"relation\" = \(name) LIMIT 1")
        }
    }

    /// Adds references of a relation: for each its owner, its position, and the key of its object.
    package static func insert(
        _ relation: String, _ references: [(owner: Int64, position: Int, key: [SQLValue])], run: Int,
        on connection: Connection
    ) throws {
        try create(on: connection)
        let marks = Array(repeating: "?", count: 4 + keyWidth).joined(separator: ", ")
        let sql =
            "INSERT INTO \(table) (\"relation\", \"owner\", \"position\", \"run\","
            + " \(keys.joined(separator: ", "))) VALUES (\(marks))"
        // A replaced row would not be among the kept changes.
        let removal = "DELETE FROM \(table) WHERE \"relation\" = ? AND \"owner\" = ? AND \"position\" = ?"
        try connection.withUnboundStatement(removal) { statement in
            try statement.bind(relation, at: 0)
            for (owner, position, _) in references { try statement.run(owner, Int64(position), from: 1) }
        }
        try connection.withUnboundStatement(sql) { statement in
            for (owner, position, key) in references {
                let padding = Array(repeating: SQLValue.null, count: keyWidth - key.count)
                let values = [.text(relation), .integer(owner), .integer(Int64(position)), .integer(Int64(run))] + key
                try statement.bind(values + padding)
                try statement.run()
            }
        }
    }

    /// Removes the references of a relation to an object.
    package static func clear(_ relation: String, to key: [SQLValue], on connection: Connection) throws {
        let match = key.indices.map { " AND \"key\($0)\" = ?" }.joined()
        try connection.withUnboundStatement("DELETE FROM \(table) WHERE \"relation\" = ?\(match)") { statement in
            try statement.bind([.text(relation)] + key)
            _ = try statement.step()
        }
    }

    /// Removes the references of a run.
    package static func forget(run: Int, on connection: Connection) throws {
        guard try !isEmpty(on: connection) else { return }
        try connection.execute("DELETE FROM \(identifier: name) WHERE \"run\" = \(run)")
    }

    /// Removes the references of owners whose relation is set again.
    package static func clear(_ relation: String, of owners: some Sequence<Int64>, on connection: Connection) throws {
        let sql = "DELETE FROM \(table) WHERE \"relation\" = ? AND \"owner\" = ?"
        try connection.withUnboundStatement(sql) { statement in
            try statement.bind(relation, at: 0)
            for owner in owners { try statement.run(owner, from: 1) }
        }
    }

    /// The number of references that wait, by relation.
    package static func counts(on connection: Connection) throws -> [String: Int] {
        guard try !isEmpty(on: connection) else { return [:] }
        let counts = try connection.rows(
            of: "SELECT \"relation\", COUNT(*) FROM \(identifier: name) GROUP BY 1"
        ) { ($0.text(at: 0), Int($0.integer(at: 1))) }
        return Dictionary(counts) { $1 }
    }
}
