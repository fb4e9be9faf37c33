import TributarySQLite

/// The table with the properties of a store: texts by their keys.
enum MetadataTable {
    static let name = "_metadata"

    static let creation: SQLFragment =
        "CREATE TABLE \(identifier: name) (\"key\" TEXT PRIMARY KEY NOT NULL, \"value\" TEXT) WITHOUT ROWID"

    /// The text of a key; nil if there is none.
    static func value(of key: String, on connection: Connection) throws -> String? {
        let value = try connection.value(of: "SELECT \"value\" FROM \(identifier: name) WHERE \"key\" = \(key)")
        guard case .text(let text)? = value else { return nil }
        return text
    }

    /// The texts of the keys with a prefix, in the order of the keys, which are returned without it.
    static func values(
        withPrefix prefix: String, on connection: Connection
    ) throws -> [(key: String, value: String)] {
        try connection.rows(
            of: """
                SELECT substr("key", length(\(prefix)) + 1), "value" FROM \(identifier: name)
                WHERE substr("key", 1, length(\(prefix))) = \(prefix) ORDER BY "key"
                """
        ) { ($0.text(at: 0), $0.text(at: 1)) }
    }

    /// Sets the text of a key.
    static func set(_ key: String, to value: String, on connection: Connection) throws {
        try connection.execute(
            "INSERT OR REPLACE INTO \(identifier: name) (\"key\", \"value\") VALUES (\(key), \(value))")
    }

    /// Removes a key.
    static func remove(_ key: String, on connection: Connection) throws {
        try connection.execute("DELETE FROM \(identifier: name) WHERE \"key\" = \(key)")
    }
}
