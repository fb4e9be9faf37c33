import TributaryImport
import TributaryModel
import TributarySQLite
import TributaryStore

/// The first rows of a relation, and how many there are.
struct RelatedRows {
    /// The rows that are shown.
    private static let shown = 20
    private static let countingTime = Duration.milliseconds(50)

    private let database: BrowsedDatabase

    /// Reads rows of a database.
    init(_ database: BrowsedDatabase) { self.database = database }

    /// What the template shows of a list; `address` leads to all of its rows.
    func values(_ list: RowList, in source: QuerySource, all address: String?) throws -> PageValues {
        var list = list
        list.limit = RelatedRows.shown + 1
        let label = Labels.name(of: source.entity) ?? source.keyName
        list.request.columns = [ValueRequest.Column("c", label.map { .keyPath([$0]) } ?? .constant(.null))]
        var items: [PageValues] = []
        _ = try database.database.forEachRow(of: list, in: source) { cursor, place in
            let text = ShownValue(0, of: cursor, most: 200).label
            let other = "\(source.entity.name) \(Labels.text(of: place.key))"
            items.append([
                "text": .text(text.isEmpty ? other : text),
                "address": .text(source.identifiesRows ? Addresses.row(source.entity.name, place.key) ?? "" : ""),
            ])
        }
        var values: PageValues = ["isNone": .flag(items.isEmpty)]
        if items.count > RelatedRows.shown {
            items.removeLast()
            let count = try database.database.count(of: list, in: source, within: RelatedRows.countingTime)
            values["more"] = .text(count.map { "all \(FigureText.grouped($0))" } ?? "all")
            values["moreAddress"] = .text(address ?? "")
        } else if items.count > 1 {
            values["more"] = .text("as a list")
            values["moreAddress"] = .text(address ?? "")
        }
        values["items"] = .list(items)
        return values
    }
}
