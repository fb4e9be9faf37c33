import TributaryModel
import TributarySQLite
import TributaryStore

/// Reads the text that stands for a row.
enum ObjectLabel {
    /// The name or title of a row, else its entity and its key.
    static func text(of key: SQLValue, in source: QuerySource, _ database: BrowsedDatabase) throws -> String {
        var found: String?
        if let name = Labels.name(of: source.entity) {
            var request = ValueRequest(entity: source.entity.name)
            request.columns = [ValueRequest.Column("label", .keyPath([name]))]
            var list = RowList(request)
            list.scope = .keys([key])
            _ = try database.database.forEachRow(of: list, in: source) { cursor, _ in
                found = ShownValue(0, of: cursor, most: 200).label
            }
        }
        return found.flatMap { $0.isEmpty ? nil : $0 } ?? "\(source.entity.name) \(Labels.text(of: key))"
    }
}
