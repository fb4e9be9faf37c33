import TributaryModel
import TributarySQLite
import TributaryStore

/// One row: all of its values, and the rows it is related to.
enum ObjectPage {
    /// The bytes of a value that are shown.
    private static let most = 20_000

    /// The page of a row.
    static func page(_ request: PageRequest, _ database: BrowsedDatabase) throws -> Page {
        let key = try BrowsedDatabase.key(request.path[2])
        let requested = try database.source(request.path[1])
        let source = try own(key, requested, database)
        let name = source.entity.name
        let fields = try fields(key, source, database)
        var values: PageValues = [
            "entity": .text(name), "list": .text(Addresses.list(name)), "key": .text(Labels.text(of: key)),
            "label": .text(try ObjectLabel.text(of: key, in: source, database)),
            "fields": .list(fields),
            "previous": .text(try neighbour(of: key, source, database, isBackward: true) ?? ""),
            "next": .text(try neighbour(of: key, source, database, isBackward: false) ?? ""),
        ]
        if let parent = source.entity.parent {
            values["parent"] = .text(parent.name)
            values["parentAddress"] = .text(Addresses.list(parent.name))
        }
        let relations =
            try source.isPlain
            ? TableRelations(key, source, database).values() : ObjectRelations(key, source, database).values()
        values["relations"] = .list(relations)
        var page = Page("\(name) \(Labels.text(of: key))", "object", values)
        page.entity = requested.entity.name
        return page
    }

    /// The source of the entity to which the row belongs, which may be a subentity.
    private static func own(_ key: SQLValue, _ source: QuerySource, _ database: BrowsedDatabase) throws -> QuerySource {
        guard source.identifiesRows else {
            throw PageError(
                404, "Rows of \(source.entity.name) have no page",
                "A view, and a table with a key of several columns, has none.",
                advice: "Filter its list instead.")
        }
        if source.isPlain { return source }
        guard case .integer(let number) = key, let entity = try database.database.entity(ofKey: number, in: source)
        else {
            throw missing(key, source)
        }
        return entity == source.entity ? source : try database.source(entity.name)
    }

    private static func missing(_ key: SQLValue, _ source: QuerySource) -> PageError {
        PageError(
            404, "There is no such row", "\(source.entity.name) has no row with the key \(Labels.text(of: key)).",
            advice: "It may have been deleted.")
    }

    private static func fields(
        _ key: SQLValue, _ source: QuerySource, _ database: BrowsedDatabase
    ) throws -> [PageValues] {
        let attributes = source.entity.attributes.filter { source.fields.contains($0.name) }
        var request = ValueRequest(entity: source.entity.name)
        request.columns = attributes.enumerated().map { ValueRequest.Column("c\($0)", .keyPath([$1.name])) }
        var list = RowList(request)
        list.scope = .keys([key])
        var fields: [PageValues]?
        _ = try database.database.forEachRow(of: list, in: source) { cursor, _ in
            fields = attributes.indices.map {
                field(attributes[$0], ShownValue($0, of: cursor, most: most), key, source)
            }
        }
        guard let fields else { throw missing(key, source) }
        return fields
    }

    private static func field(
        _ attribute: AttributeProperty, _ value: ShownValue, _ key: SQLValue, _ source: QuerySource
    ) -> PageValues {
        let address = PageRequest.address(["e", source.entity.name, ValueText.text(of: key), "value", attribute.name])
        let isBlock = value.kind == .json || value.kind == .text && (value.size > 160 || value.text.contains("\n"))
        return [
            "name": .text(attribute.name),
            "type": .text(attribute.type == .undefined ? "" : attribute.declaration.typeName),
            "kind": .text(value.kind.rawValue), "isNull": .flag(value.kind == .null),
            "isEmpty": .flag(value.kind == .text && value.size == 0),
            "text": .text(value.kind == .json ? JSONLayout.text(value.text) : value.text),
            "isBlock": .flag(isBlock && value.size <= 1200), "isFolded": .flag(isBlock && value.size > 1200),
            "isBytes": .flag(value.kind == .bytes), "isCut": .flag(value.isCut),
            "size": .text(SizeText.bytes(value.size)),
            "summary": .text(value.label),
            "whole": .text(value.isCut || value.kind == .bytes ? address : ""),
        ]
    }

    private static func neighbour(
        of key: SQLValue, _ source: QuerySource, _ database: BrowsedDatabase, isBackward: Bool
    ) throws -> String? {
        var request = ValueRequest(entity: source.entity.name)
        request.columns = [ValueRequest.Column("c", .constant(.null))]
        var list = RowList(request)
        (list.place, list.isBackward, list.limit) = (RowList.Place(value: nil, key: key), isBackward, 1)
        var found: String?
        _ = try database.database.forEachRow(of: list, in: source) { found = Addresses.row(source.entity.name, $1.key) }
        return found
    }
}
