import TributarySQLite
import TributaryStore

/// Reads the rows of a list as the values of a template.
struct ListRow {
    /// The place, from which the page before or after is read.
    let place: RowList.Place
    /// What the template shows of each column.
    private var cells: [PageValues]
    private let key: String
    private let address: String

    /// The bytes of a value that a cell shows.
    private static let most = 160

    /// The current row.
    init(
        _ cursor: ValueCursor, _ place: RowList.Place, _ columns: [ListColumn], _ source: QuerySource,
        _ links: ColumnLinks
    ) throws {
        self.place = place
        cells = []
        var (index, key) = (0, "")
        if ListRequest.keyExpression(of: source) != nil {
            key = ShownValue(0, of: cursor, most: ListRow.most).label
            index = 1
        }
        if key.isEmpty { key = Labels.text(of: place.key) }
        for column in columns {
            let value = ShownValue(index, of: cursor, most: ListRow.most)
            var cell = value.cell
            if let relationship = column.relationship {
                let key = cursor.cell(at: index).value
                if relationship.isToMany, column.isProperty {
                    cell = try links.many(relationship, from: place.key)
                } else if !relationship.isToMany, key != .null {
                    let label =
                        column.expressions.count > 1 ? ShownValue(index + 1, of: cursor, most: ListRow.most) : value
                    cell = label.cell
                    if label.kind == .null { cell["text"] = .text("\(relationship.destination.name) \(value.text)") }
                    (cell["kind"], cell["isNull"], cell["isEmpty"]) = ("text", false, false)
                    cell["address"] = .text(Addresses.row(relationship.destination.name, key) ?? "")
                }
            } else if let address = links.referenced(column, by: cursor.cell(at: index)) {
                cell["address"] = .text(address)
            }
            cells.append(cell)
            index += column.expressions.count
        }
        self.key = key
        address = source.identifiesRows ? Addresses.row(source.entity.name, place.key) ?? "" : ""
    }

    /// What the template shows of rows and of their heads: columns of numbers are aligned at the right.
    static func values(_ rows: [ListRow], heads: [PageValues]) -> (rows: PageValue, heads: PageValue) {
        var (rows, heads) = (rows, heads)
        for column in heads.indices {
            let kinds = rows.compactMap { $0.cells[column]["kind"] }
            guard kinds.contains("number"), kinds.allSatisfy({ $0 == "number" || $0 == "null" }) else { continue }
            heads[column]["align"] = "number"
            for row in rows.indices { rows[row].cells[column]["kind"] = "number" }
        }
        let values = rows.map { row -> PageValues in
            ["cells": .list(row.cells), "key": .text(row.key), "address": .text(row.address)]
        }
        return (.list(values), .list(heads))
    }
}
