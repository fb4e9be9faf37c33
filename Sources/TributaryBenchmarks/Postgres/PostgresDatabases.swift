import Foundation
import TributaryPostgres

/// The databases of a server that a benchmark makes, copies and deletes.
struct PostgresDatabases {
    private let text: String
    private let connection: PostgresConnection

    /// The databases of the server at `address`.
    init(_ address: String) throws {
        text = address
        connection = try PostgresConnection(PostgresAddress(address), role: "benchmark")
    }

    /// The address of a database.
    func address(_ name: String) throws -> String {
        guard var parts = URLComponents(string: text) else { throw Problem("\(text) is not an address") }
        parts.path = "/" + name
        return parts.string ?? text
    }

    /// Makes a new database, as a copy of another one if that is given.
    func make(_ name: String, from base: String? = nil) throws {
        try remove(name)
        guard let base else {
            try connection.execute("CREATE DATABASE \(name: name)")
            return
        }
        // A copy of its files, as fast as any; before version 15 there is no other way.
        if connection.serverVersion >= 150_000 {
            try connection.execute("CREATE DATABASE \(name: name) TEMPLATE \(name: base) STRATEGY file_copy")
        } else {
            try connection.execute("CREATE DATABASE \(name: name) TEMPLATE \(name: base)")
        }
    }

    /// Deletes a database.
    func remove(_ name: String) throws {
        try connection.execute("DROP DATABASE IF EXISTS \(name: name) WITH (FORCE)")
    }

    /// Does now what the server would do some time after a load, and thus during a measurement.
    func vacuum(_ name: String) throws {
        let own = try PostgresConnection(PostgresAddress(address(name)), role: "benchmark")
        try own.execute("VACUUM (ANALYZE)")
        own.close()
    }

    /// Lets the server write everything to the disk.
    func checkpoint() throws { try connection.execute("CHECKPOINT") }

    /// The number of bytes that the server has written to its log so far.
    func loggedBytes() throws -> Int64 {
        let result = try connection.execute("SELECT (pg_current_wal_insert_lsn() - '0/0'::pg_lsn)::bigint")
        return result.integer(0, 0) ?? 0
    }

    /// The number of users in a database, and a sum over all their values, whatever their order.
    func contents(_ name: String) throws -> (count: Int64, sum: String) {
        let own = try PostgresConnection(PostgresAddress(address(name)), role: "benchmark")
        defer { own.close() }
        let result = try own.execute(
            """
            SELECT count(*), sum(hashtextextended(ROW(id, name, email, age, balance, active, created, bio, street, city,
            zip, tags)::text, 0)) FROM "User"
            """)
        return (result.integer(0, 0) ?? 0, result.text(0, 1) ?? "")
    }
}
