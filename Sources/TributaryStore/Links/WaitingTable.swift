package import TributarySQLite

/// The references of stored objects to objects that are not there yet, by the keys of these.
package enum WaitingTable {
    /// The name of the table.
    package static let name = "_waiting"
    /// The largest number of attributes of a key that can be waited for.
    package static let keyWidth = 8
    private static var keys: [SQLFragment] { (0..<keyWidth).map { "\(identifier: "key\($0)")" } }
    private static var table: SQLFragment { "\(identifier: name)" }

    /// Creates the table, unless it exists; the ids of references ascend in the order in which they were made.
    package static func create(on connection: Connection) throws {
        try connection.execute(
            """
            CREATE TABLE IF NOT EXISTS \(table) ("id" INTEGER PRIMARY KEY, "relation" TEXT NOT NULL,
            "owner" INTEGER NOT NULL, "position" INTEGER NOT NULL, "run" INTEGER NOT NULL,
            \(keys), UNIQUE ("relation", "owner", "position"))
            """)
        try connection.execute(
            "CREATE INDEX IF NOT EXISTS \"_index._waiting.key\" ON \(table) (\"relation\", \"key0\", \"owner\")")
    }

    /// Whether any reference waits.
    package static func isEmpty(on connection: Connection) throws -> Bool {
        try TableRows.isEmpty(name, on: connection)
    }

    /// Those of some relations that have references.
    package static func relations(among names: [String], on connection: Connection) throws -> [String] {
        guard try !isEmpty(on: connection) else { return [] }
        return try names.filter { name in
            try connection.hasRows("SELECT 1 FROM \(table) WHERE \"relation\" = \(name) LIMIT 1")
        }
    }

    /// Adds references of a relation: for each its owner, its position, and the key of its object.
    ///
    /// An earlier reference of the owner to the same object gives way. One at the same position stays, from another
    /// record that adds to a list: the new one follows the last one.
    package static func insert(
        _ relation: String, _ references: [(owner: Int64, position: Int, key: [SQLValue])], run: Int,
        on connection: Connection
    ) throws {
        try create(on: connection)
        // A replaced row would not be among the kept changes.
        let isSame = keys.prefix(references.first?.key.count ?? 0).map { " AND " + $0 + " = ?" as SQLFragment }
        let removal: SQLFragment =
            "DELETE FROM \(table) WHERE \"relation\" = ? AND \"owner\" = ?\(isSame, separator: "")"
        let marks: [SQLFragment] = Array(repeating: "?", count: 1 + keyWidth)
        let insertion: SQLFragment = """
            INSERT INTO \(table) ("relation", "owner", "position", "run", \(keys))
            VALUES (?1, ?2, max(?3, (SELECT ifnull(max("position"), -1) + 1 FROM \(table)
            WHERE "relation" = ?1 AND "owner" = ?2)), \(marks))
            """
        try connection.withUnboundStatement(removal.text) { removal in
            try connection.withUnboundStatement(insertion.text) { insertion in
                for (owner, position, key) in references {
                    let start = [.text(relation), .integer(owner)] as [SQLValue]
                    try removal.bind(start + key)
                    try removal.run()
                    let padding = Array(repeating: SQLValue.null, count: keyWidth - key.count)
                    try insertion.bind(start + [.integer(Int64(position)), .integer(Int64(run))] + key + padding)
                    try insertion.run()
                }
            }
        }
    }

    /// Adds references of new owners, of which no other is at the same position.
    package static func append(
        _ references: [(relation: String, owner: Int64, position: Int, key: [SQLValue])], run: Int,
        on connection: Connection
    ) throws {
        try create(on: connection)
        let marks: [SQLFragment] = Array(repeating: "?", count: 4 + keyWidth)
        let insertion: SQLFragment =
            "INSERT INTO \(table) (\"relation\", \"owner\", \"position\", \"run\", \(keys)) VALUES (\(marks))"
        try connection.withUnboundStatement(insertion.text) { insertion in
            for (relation, owner, position, key) in references {
                let padding = Array(repeating: SQLValue.null, count: keyWidth - key.count)
                try insertion.bind(
                    [.text(relation), .integer(owner), .integer(Int64(position)), .integer(Int64(run))] + key + padding)
                try insertion.run()
            }
        }
    }

    /// Removes the references of a relation to an object.
    package static func clear(_ relation: String, to key: [SQLValue], on connection: Connection) throws {
        let match = zip(keys, key).map { $0 + " = \($1)" }
        try connection.execute(
            "DELETE FROM \(table) WHERE \(["\"relation\" = \(relation)"] + match, separator: " AND ")")
    }

    /// Removes the references of a run.
    package static func forget(run: Int, on connection: Connection) throws {
        guard try !isEmpty(on: connection) else { return }
        try connection.execute("DELETE FROM \(table) WHERE \"run\" = \(run)")
    }

    /// Removes the references of owners whose relation is set again.
    package static func clear(_ relation: String, of owners: some Sequence<Int64>, on connection: Connection) throws {
        let removal: SQLFragment = "DELETE FROM \(table) WHERE \"relation\" = ? AND \"owner\" = ?"
        try connection.withUnboundStatement(removal.text) { statement in
            try statement.bind(relation, at: 0)
            for owner in owners { try statement.run(owner, from: 1) }
        }
    }

    /// The number of references that wait, by relation.
    package static func counts(on connection: Connection) throws -> [String: Int] {
        guard try !isEmpty(on: connection) else { return [:] }
        let counts = try connection.rows(
            of: "SELECT \"relation\", COUNT(*) FROM \(table) GROUP BY 1"
        ) { ($0.text(at: 0), Int($0.integer(at: 1))) }
        return Dictionary(counts) { $1 }
    }
}

extension WaitingTable {
    /// The table with the texts of keys.
    package static let outline = TableOutline(
        name: name, entity: nil,
        columns: [
            .init(name: "id", meaning: .key), .init(name: "relation", meaning: .attribute(.string)),
            .init(name: "owner", meaning: .position), .init(name: "position", meaning: .position),
            .init(name: "run", meaning: .position),
        ] + (0..<keyWidth).map { .init(name: "key\($0)", meaning: .attribute(.string)) }, constraints: [])
}
