package import TributaryModel
package import TributarySQLite

extension SQLiteStore {
    /// What another program has changed in the table of an entity, as the end of a sentence; nil if it is complete.
    ///
    /// Columns that were added do no harm.
    package func alteration(of entity: Entity, on connection: Connection) throws -> String? {
        guard let layout = schema.table(of: entity) else { return nil }
        let columns = Set(try connection.columns(of: layout.name).map { $0.lowercased() })
        guard !columns.isEmpty else { return "its table was dropped or renamed" }
        let missing = layout.columns.map(\.name).filter { !columns.contains($0.lowercased()) }
        guard !missing.isEmpty else { return nil }
        let names = missing.prefix(5).joined(separator: ", ")
        return missing.count == 1
            ? "its column \(names) was dropped or renamed" : "its columns \(names) were dropped or renamed"
    }
}
