import TributaryHTTP
package import TributaryPostgres

/// The database that a command line names: the path of a SQLite file, or an address of PostgreSQL.
package struct DatabaseName: Sendable {
    /// The path or the address, without a password.
    package let text: String
    /// The address; nil for a file.
    package let address: PostgresAddress?

    init(_ text: String) throws(UsageError) {
        if let address = WebAddress(text) {
            throw UsageError("The database: '\(address.shown)' is no file, and no address of PostgreSQL")
        }
        guard PostgresAddress.isAddress(text) else {
            (self.text, address) = (text, nil)
            return
        }
        let address: PostgresAddress
        do {
            address = try PostgresAddress(text)
        } catch {
            throw UsageError("The database: \(error)")
        }
        (self.text, self.address) = ("\(address)", address)
    }

    /// The name of a database of PostgreSQL.
    init(_ address: PostgresAddress) { (text, self.address) = ("\(address)", address) }

    /// A word of a command line as it may be shown; an address loses its password, and one of the web its query.
    static func shown(_ word: String) -> String {
        PostgresAddress.isAddress(word) ? (try? DatabaseName(word).text) ?? "postgres://" : WebAddress.shown(word)
    }

    /// Warns of a password that other users of the computer can see.
    func warn(isQuiet: Bool = false) {
        guard !isQuiet, address?.hasPassword ?? false else { return }
        var console = Console()
        console.say(
            "other users of this computer can see the password in the address while the command runs; use PGPASSWORD or ~/.pgpass"
        )
    }
}
