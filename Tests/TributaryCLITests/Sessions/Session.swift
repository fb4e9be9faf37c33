/// A random sequence of commands on one database.
struct Session: Codable, Sendable {
    /// The names of the tables.
    var tables: [String]
    var steps: [SessionStep]
    /// Whether the database is one of PostgreSQL.
    var isPostgres = false
    /// Whether the other program keeps a write-ahead log.
    var usesLog = false

    var definitions: [SessionTable] { SessionTable.named(tables) }

    /// The statements of another program before the first command, with a table that no command names.
    var statements: [String] {
        let statements = definitions.flatMap(\.statements)
        if statements.isEmpty { return [] }
        return (usesLog ? ["PRAGMA journal_mode = WAL"] : []) + statements + [
            "PRAGMA user_version = 7", "PRAGMA application_id = 77",
            "CREATE TABLE bystander (number INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT COLLATE NOCASE UNIQUE)",
            "INSERT INTO bystander (name) VALUES ('one'), ('two')", "DELETE FROM bystander WHERE name = 'two'",
        ]
    }

    /// The statements of another program that list the changes of a table of this library.
    static func audit(_ table: String) -> [String] {
        ["CREATE TABLE audit_\(table) (number INTEGER PRIMARY KEY, what TEXT, id INTEGER, name TEXT)"]
            + [("INSERT", "i", "new"), ("UPDATE", "u", "new"), ("DELETE", "d", "old")].map { event, what, row in
                """
                CREATE TRIGGER audit_\(table)_\(what) AFTER \(event) ON \(table) BEGIN
                INSERT INTO audit_\(table) (what, id) VALUES ('\(what)', \(row).id); END
                """
            }
    }
}
