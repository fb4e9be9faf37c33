import TributaryImport
import TributaryModel
import TributarySQLite
import TributaryStore

/// The rows of an entity with a text: by key, by the beginning of an indexed text, by words or by reading all rows.
struct SearchPage {
    /// The time for reading rows.
    private static let time = Duration.milliseconds(300)
    private static let most = 20

    private let text: String
    private let source: QuerySource
    private let database: BrowsedDatabase
    private let columns: [ListColumn]
    private let links: ColumnLinks
    private var seen: Set<SQLValue> = []

    /// The page of a search.
    static func page(_ request: PageRequest, _ database: BrowsedDatabase) throws -> Page {
        let source = try database.source(request.path[1])
        guard source.identifiesRows else {
            throw PageError(
                404, "Rows of \(source.entity.name) cannot be searched",
                "A view, and a table with a key of several columns, cannot be searched.",
                advice: "Filter its list instead.")
        }
        var search = try SearchPage(request.value("q") ?? "", source, database)
        return try search.page(request)
    }

    private init(_ text: String, _ source: QuerySource, _ database: BrowsedDatabase) throws {
        (self.text, self.source, self.database) = (text, source, database)
        let names = ListColumns.defaults(of: source).prefix(5)
        columns = try names.map { try ListColumn($0, of: source) }
        links = try ColumnLinks(source, database)
    }

    private mutating func page(_ request: PageRequest) throws -> Page {
        let name = source.entity.name
        var values: PageValues = [
            "entity": .text(name), "list": .text(Addresses.list(name)), "text": .text(text),
            "keyHead": .text(source.keyName ?? "row"),
        ]
        var groups: [PageValues] = []
        let after = request.value("after").flatMap(ValueText.value)
        if after == nil { groups = try known() }
        if try database.database.searchIndex(of: source) != nil {
            var words = list
            words.request.match = text
            groups += try group("with these words", words)
            values["scanned"] = "searched keys and the words of the full-text index"
            values["words"] = .text(Addresses.list(name, [("match", text)]))
        } else {
            groups += try scan(after, earlier: request.value("searched").flatMap { Int($0) } ?? 0, &values)
        }
        values["groups"] = .list(groups)
        values["isEmpty"] = .flag(groups.isEmpty)
        var page = Page("\(text) in \(name)", "search", values)
        page.entity = name
        return page
    }

    /// What an index finds.
    private mutating func known() throws -> [PageValues] {
        var groups: [PageValues] = []
        var keys: [SQLValue] = []
        if let number = Int64(text) { keys.append(.integer(number)) }
        if source.isPlain, source.keyColumn != nil, Int64(text) == nil { keys.append(.text(text)) }
        if source.isPlain || source.keyName == nil {
            var list = list
            list.scope = .keys(keys)
            groups += keys.isEmpty ? [] : try group("with this key", list)
        }
        if let name = source.keyName {
            var list = list
            let constant = Int64(text).map { FilterValue.integer($0) } ?? .string(text)
            list.request.filter = Filter(.keyPath([name]), .equal, .constant(constant))
            groups += try group("whose \(name) is this", list)
        }
        for name in try database.database.indexedNames(of: source).sorted() {
            guard let attribute = source.entity.attribute(named: name), isText(attribute) else { continue }
            var list = list
            list.scope = .prefix(name, text)
            list.sort = [name]
            groups += try group("whose \(name) begins so", list)
        }
        return groups
    }

    /// What reading rows finds within the time.
    private mutating func scan(
        _ after: SQLValue?, earlier: Int, _ values: inout PageValues
    ) throws -> [PageValues] {
        let attributes = source.entity.attributes.filter { source.fields.contains($0.name) && isText($0) }
        guard !attributes.isEmpty, !text.isEmpty else { return [] }
        let scan = try database.database.scan(
            attributes.map(\.name), of: source, for: text, after: after, limit: ListRequest.length,
            until: .now + SearchPage.time)
        var found = list
        found.scope = .keys(scan.keys)
        found.limit = ListRequest.length
        let group = scan.keys.isEmpty ? [] : try group("with this text", found)
        let rows = max(0, min(earlier, 1 << 50)) + scan.rows
        if scan.isComplete {
            values["scanned"] = .text(
                "searched the text of \(earlier > 0 ? "the rest, " : "")all of \(FigureText.counted(rows, "row"))")
        } else {
            let all = try database.database.count(of: list, in: source, within: .milliseconds(100))
            values["scanned"] =
                .text(
                    "searched the text of \(FigureText.grouped(rows)) of \(all.map { FigureText.counted($0, "row") } ?? "more rows")"
                )
            let next = [
                ("q", text), ("after", ValueText.text(of: scan.last ?? .null)), ("searched", "\(rows)"),
            ]
            values["more"] = .text(PageRequest.address(["e", source.entity.name, "search"], next))
        }
        return group
    }

    private func isText(_ attribute: AttributeProperty) -> Bool {
        [.string, .undefined, .uri, .uuid, .json].contains(attribute.type)
    }

    private var list: RowList {
        var request = ValueRequest(entity: source.entity.name)
        request.columns = ListRequest.keyExpression(of: source).map { [ValueRequest.Column("key", $0)] } ?? []
        request.columns += columns.flatMap(\.expressions).enumerated().map { ValueRequest.Column("c\($0)", $1) }
        var list = RowList(request)
        list.limit = SearchPage.most
        return list
    }

    /// The rows of a list that no other group has; no group if there are none.
    private mutating func group(_ reason: String, _ list: RowList) throws -> [PageValues] {
        var rows: [ListRow] = []
        do {
            _ = try database.database.forEachRow(of: list, in: source) { cursor, place in
                rows.append(try ListRow(cursor, place, columns, source, links))
            }
        } catch is FilterError {
            // The text has not the type of the key.
            return []
        }
        let new = rows.filter { seen.insert($0.place.key).inserted }
        let values = ListRow.values(new, heads: columns.map { ["name": .text($0.name)] })
        return new.isEmpty ? [] : [["reason": .text(reason), "rows": values.rows, "heads": values.heads]]
    }
}
