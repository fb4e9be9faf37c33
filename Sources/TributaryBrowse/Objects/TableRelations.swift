import TributaryModel
import TributarySQLite
import TributaryStore

/// The relations of a row of another program: its foreign keys, and those that lead to it.
struct TableRelations {
    private let key: SQLValue
    private let source: QuerySource
    private let database: BrowsedDatabase

    /// The relations of the row with a key.
    init(_ key: SQLValue, _ source: QuerySource, _ database: BrowsedDatabase) {
        (self.key, self.source, self.database) = (key, source, database)
    }

    /// What the template shows of each foreign key.
    func values() throws -> [PageValues] {
        let name = source.entity.name
        var relations: [PageValues] = []
        for reference in try database.database.references(from: name) {
            let values = try relation(
                reference, to: reference.destination, reference.pairs.map { (own: $0.from, other: $0.to) })
            if var values {
                values["isForeignKey"] = true
                relations.append(values)
            }
        }
        for reference in try database.database.references(to: name) {
            let values = try relation(
                reference, to: reference.table, reference.pairs.map { (own: $0.to, other: $0.from) })
            if var values {
                values["isIncoming"] = true
                relations.append(values)
            }
        }
        return relations
    }

    private func relation(
        _ reference: TableReference, to table: String, _ pairs: [(own: String, other: String)]
    ) throws -> PageValues? {
        guard let other = table == source.entity.name ? source : try database.readable(table) else { return nil }
        let names = pairs.map { (source.attributeName(ofColumn: $0.own), other.attributeName(ofColumn: $0.other)) }
        let own = names.compactMap(\.0)
        let others = names.compactMap(\.1)
        guard own.count == pairs.count, others.count == pairs.count else { return nil }
        let found = Array(zip(others, try values(of: own)))
        var shown: PageValues = ["isNone": true]
        if let filter = ColumnLinks.filter(found) {
            let list = RowList(ValueRequest(entity: other.entity.name, where: filter))
            do {
                shown = try RelatedRows(database).values(list, in: other, all: ColumnLinks.list(table, found))
            } catch is FilterError {
                // A column whose values have several types cannot be filtered by one.
                return nil
            }
        }
        shown["name"] = .text(reference.name)
        shown["entity"] = .text(table)
        shown["entityAddress"] = .text(Addresses.list(table))
        return shown
    }

    private func values(of names: [String]) throws -> [SQLValue] {
        var request = ValueRequest(entity: source.entity.name)
        request.columns = names.enumerated().map { ValueRequest.Column("c\($0)", .keyPath([$1])) }
        var list = RowList(request)
        list.scope = .keys([key])
        var values: [SQLValue] = names.map { _ in .null }
        _ = try database.database.forEachRow(of: list, in: source) { cursor, _ in
            values = names.indices.map { cursor.cell(at: $0).value }
        }
        return values
    }
}
