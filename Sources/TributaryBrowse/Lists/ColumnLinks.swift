import TributaryImport
import TributaryModel
import TributarySQLite
import TributaryStore

/// Where the values of a list lead to.
struct ColumnLinks {
    /// The objects of a relationship that are counted, and the time for those of all rows.
    private static let mostCounted = 1000
    private static let countingTime = Duration.milliseconds(100)

    private let source: QuerySource
    private let database: BrowsedDatabase
    private let end: ContinuousClock.Instant
    /// The tables to which single columns lead, with the column of the other table; nil if that is the key of its rows.
    private let references: [String: (table: String, column: String?)]

    /// The links of an entity or table.
    init(_ source: QuerySource, _ database: BrowsedDatabase) throws {
        (self.source, self.database, end) = (source, database, .now + ColumnLinks.countingTime)
        var references: [String: (table: String, column: String?)] = [:]
        if source.isPlain {
            for reference in try database.database.references(from: source.entity.name) where reference.pairs.count == 1
            {
                let pair = reference.pairs[0]
                guard let name = source.attributeName(ofColumn: pair.from) else { continue }
                let isOwn = reference.destination == source.entity.name
                guard let other = isOwn ? source : try database.readable(reference.destination) else { continue }
                guard let end = other.attributeName(ofColumn: pair.to) else { continue }
                let isKey = other.keyColumn.map { other.attributeName(ofColumn: $0) == end } ?? false
                references[name] = (reference.destination, isKey ? nil : end)
            }
        }
        self.references = references
    }

    /// The row to which a foreign key leads, or the list with it.
    func referenced(_ column: ListColumn, by cell: SQLCell) -> String? {
        guard column.isProperty, let (table, end) = references[column.name], cell.kind == .integer || cell.kind == .text
        else { return nil }
        if cell.kind == .text, cell.bytes.count > 300 { return nil }
        guard let end else { return Addresses.row(table, cell.value) }
        return ColumnLinks.list(table, [(end, cell.value)])
    }

    /// The rows of a table with values; nil if a filter cannot name one of them.
    static func list(_ table: String, _ values: [(name: String, value: SQLValue)]) -> String? {
        filter(values).map { Addresses.list(table, [("where", $0.description)]) }
    }

    /// The filter for rows with values; nil if a filter cannot name one of them.
    static func filter(_ values: [(name: String, value: SQLValue)]) -> Filter? {
        var filters: [Filter] = []
        for (name, value) in values {
            let constant: FilterValue
            switch value {
            case .integer(let number): constant = .integer(number)
            case .real(let number): constant = .double(number)
            case .text(let text): constant = .string(text)
            case .null, .blob: return nil
            }
            filters.append(Filter(.keyPath([name]), .equal, .constant(constant)))
        }
        return .and(filters)
    }

    /// How many objects a to-many relationship of a row has, which are counted for a time.
    func many(_ relationship: RelationshipProperty, from key: SQLValue) throws -> PageValues {
        var values: PageValues = ["text": "", "kind": "number", "address": "", "isNull": false, "isEmpty": false]
        guard case .integer(let number) = key else { return values }
        values["address"] = .text(ColumnLinks.objects(of: relationship, of: source.entity.name, key))
        values["text"] = "…"
        guard ContinuousClock.now < end else { return values }
        var list = RowList(ValueRequest(entity: relationship.destination.name))
        list.scope = .destinations(relationship, of: number)
        let most = ColumnLinks.mostCounted + 1
        guard let count = try database.database.count(of: list, in: source, most: most, within: end - .now) else {
            return values
        }
        values["text"] = .text(count < most ? FigureText.grouped(count) : FigureText.grouped(count - 1) + "+")
        if count == 0 { values["address"] = "" }
        return values
    }

    /// The list of the objects of a to-many relationship.
    static func objects(of relationship: RelationshipProperty, of entity: String, _ key: SQLValue) -> String {
        Addresses.list(
            relationship.destination.name,
            [("of", entity), ("key", ValueText.text(of: key)), ("through", relationship.name)])
    }
}
