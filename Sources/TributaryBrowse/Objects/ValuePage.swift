import TributaryImport
import TributarySQLite
import TributaryStore

/// One value as plain text, whatever its length; bytes are Base64.
enum ValuePage {
    /// The answer with the text.
    static func answer(_ request: PageRequest, _ database: BrowsedDatabase) throws -> PageAnswer {
        let source = try database.source(request.path[1])
        let (key, name) = (try BrowsedDatabase.key(request.path[2]), request.path[4])
        guard source.identifiesRows, source.fields.contains(name) else {
            throw PageError(404, "There is no such value", "\(source.entity.name) has no such attribute.")
        }
        var values = ValueRequest(entity: source.entity.name)
        values.columns = [ValueRequest.Column("c", .keyPath([name]))]
        var list = RowList(values)
        list.scope = .keys([key])
        var bytes: [UInt8]?
        _ = try database.database.forEachRow(of: list, in: source) { cursor, _ in
            var text: [UInt8] = []
            ResultText.appendText(0, of: cursor, to: &text)
            bytes = text
        }
        guard let bytes else {
            throw PageError(404, "There is no such row", "\(source.entity.name) has no row with this key.")
        }
        return PageAnswer(200, .text, bytes)
    }
}
