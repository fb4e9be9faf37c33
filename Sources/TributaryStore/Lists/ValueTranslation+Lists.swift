import TributaryModel
import TributarySQLite

/// The queries of a list: each continues where the one before it ends.
extension ValueTranslation {
    /// The queries, whose last two columns are the value that is sorted by and the key.
    mutating func queries(of list: RowList, isKeyed: Bool, placeIsNull: Bool) throws -> [ValueQuery] {
        for column in columns {
            guard try !hasAggregate(column.expression) else {
                throw FetchError(.group, "\(column.name) is a value of all rows, and a list has one for each")
            }
            guard case .term(let term) = try translator.side(column.expression) else { throw toMany(column.name) }
            terms.append(term)
        }
        let value = try sortValue(of: list)
        let (selected, results) = try results(terms)
        let key = compiler.column("_pk")
        let direction: SQLFragment = list.isAscending ? " ASC" : " DESC"
        let order = ([value].compactMap(\.self) + (isKeyed ? [key] : [])).map { $0 + direction }
        let conditions = try conditions() + scope(of: list)
        return try parts(of: list, value, placeIsNull: placeIsNull).map { part in
            var sql: SQLFragment = "SELECT \(selected + [value ?? "NULL", isKeyed ? key : "NULL"])"
            sql += " FROM \(compiler.table(of: entity))\(FetchCompiler.clause(conditions + part))"
            if !order.isEmpty { sql += " ORDER BY \(order)" }
            sql += try RowRequest.window(limit: list.limit, offset: list.offset)
            return ValueQuery(sql: sql, columns: results, model: compiler.model)
        }
    }

    /// A query of the rows whose number is counted, at most so many; nil for all rows, which cannot be interrupted.
    mutating func count(of list: RowList, most: Int?) throws -> SQLFragment {
        let conditions = try conditions() + scope(of: list)
        let rows: SQLFragment = "\(compiler.table(of: entity))\(FetchCompiler.clause(conditions))"
        guard let most else { return "SELECT COUNT(*) FROM \(rows)" }
        return "SELECT COUNT(*) FROM (SELECT 1 FROM \(rows) LIMIT \(most))"
    }

    /// A query that tells whether the row of a place has null as the value that is sorted by.
    mutating func isNull(at place: RowList.Place, of list: RowList) throws -> SQLFragment {
        let value = try sortValue(of: list) ?? "1"
        return
            "SELECT \(value) IS NULL FROM \(compiler.table(of: entity)) WHERE \(compiler.column("_pk")) = \(place.key)"
    }

    /// The conditions of the parts in their order.
    private func parts(of list: RowList, _ value: SQLFragment?, placeIsNull: Bool) -> [[SQLFragment]] {
        guard let place = list.place else { return [[]] }
        let key = compiler.column("_pk")
        let after: SQLFragment = list.isAscending ? "\(key) > \(place.key)" : "\(key) < \(place.key)"
        guard let value else { return [[after]] }
        let isNull: SQLFragment = "\(value) IS NULL"
        if placeIsNull { return [[isNull, after]] + (list.isAscending ? [["\(value) IS NOT NULL"]] : []) }
        let row: SQLFragment =
            "(SELECT \(value) FROM \(compiler.table(of: entity)) WHERE \(compiler.column("_pk")) = \(place.key))"
        let start = place.value.map { SQLFragment($0) } ?? row
        // Two conditions find their first row in an index, where one of both would pass over rows with equal values.
        let same: [SQLFragment] = ["\(value) = \(start)", after]
        return list.isAscending ? [same, ["\(value) > \(start)"]] : [same, ["\(value) < \(start)"], [isNull]]
    }

    /// The value that is sorted by; nil for the key alone.
    private mutating func sortValue(of list: RowList) throws -> SQLFragment? {
        guard !list.sort.isEmpty else { return nil }
        let name = list.sort.joined(separator: ".")
        guard case .term(let value) = try translator.follow(list.sort[...], from: .term(translator.subject)),
            value.kind != .object
        else { throw FilterError(.toMany, "\(name) has no single value to sort by") }
        switch value.kind {
        case .any: throw FilterTranslator.unsupported("the order of \(name)")
        // Decimals are text, which has another order.
        case .number: return "_order(\(value.arguments))"
        default: return value.sql
        }
    }

    private mutating func scope(of list: RowList) throws -> [SQLFragment] {
        let key = compiler.column("_pk")
        switch list.scope {
        case .all: return []
        case .keys(let keys): return ["\(key) IN (\(keys.map { SQLFragment($0) }))"]
        case .prefix(let name, let text):
            let path = ArraySlice([name])
            guard case .term(let value) = try translator.follow(path, from: .term(translator.subject)) else {
                return []
            }
            return ["\(value.sql) >= \(text)", "\(value.sql) <= \(text + "\u{10FFFF}")"]
        case .destinations(let relationship, let owner):
            return try translator.link(relationship, from: SQLFragment(owner), to: FilterTranslator.subjectAlias)
        case .owners(let relationship, let destination):
            if relationship.isToMany {
                guard let join = compiler.schema.join(of: relationship) else { return ["0"] }
                return [
                    """
                    \(key) IN (SELECT \(identifier: join.source) FROM \(identifier: join.name) \
                    WHERE \(identifier: join.target) = \(destination))
                    """
                ]
            }
            guard let column = compiler.schema.table(of: entity)?.column(.relationship(relationship), of: entity) else {
                return ["0"]
            }
            return ["\(compiler.column(column.name)) = \(destination)"]
        }
    }
}
