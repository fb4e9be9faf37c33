import TributarySQLite

extension Connection {
    /// Whether the database has a table of this name.
    func hasTable(_ name: String) throws -> Bool {
        try hasRows("SELECT 1 FROM sqlite_master WHERE \"type\" = 'table' AND \"name\" = \(name)")
    }
}
