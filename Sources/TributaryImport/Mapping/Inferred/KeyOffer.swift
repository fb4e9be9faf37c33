package import TributaryStore
import TributarySQLite

/// A column that could be the key of a table that was imported without one.
public struct KeyOffer: Sendable, Hashable {
    /// The column, which has another value in each row.
    public let column: String
    /// The number of rows.
    public let rows: Int

    /// The maximum number of rows that are inspected, so that the search takes no noticeable time.
    static let maxRows = 100_000

    /// Names that usually identify a record, the likeliest first.
    private static let names = ["id", "_id", "uuid", "guid", "key", "pk", "code", "slug", "sku"]

    /// Searches a table with inferred columns as `find(in:of:)` of a manager does.
    package static func find(in entity: String, of store: SQLiteStore) throws -> KeyOffer? {
        try store.read { connection in
            guard let model = try StoredModel.read(on: connection), model.isInferred,
                let entity = model.entities.first(where: { $0.name == entity }), entity.uniquenessConstraints.isEmpty
            else { return nil }
            let columns = entity.attributes.map(\.name)
            let single = entity.name.lowercased().hasSuffix("s") ? String(entity.name.dropLast()) : entity.name
            let wanted = names + [single + "_id", single + "Id", single + "ID"]
            let found = wanted.compactMap { name in columns.first { $0.lowercased() == name.lowercased() } }
            guard !found.isEmpty, try TableRows.count(entity.name, upTo: maxRows + 1, on: connection) <= maxRows,
                let (column, rows) = try TableRows.uniqueColumn(of: entity.name, among: found, on: connection), rows > 1
            else { return nil }
            return KeyOffer(column: column, rows: rows)
        }
    }
}
