import TributarySQLite

/// Translates one request for values.
///
/// A plain request is one query. A request with groups, distinct rows or a condition on the result is a query of a
/// subquery: the subquery computes the columns `_c0`, `_c1`, …; the outer query filters, deduplicates, orders and
/// limits its rows. The outer filters refer to the columns by variables with names that no filter can contain.
///
/// Aggregates have the results of the same functions in memory: null is counted and added as 0, integers that overflow
/// become floating point numbers, decimals stay exact. ``FilterFunctions`` must be defined on the connection.
struct ValueTranslation {
    let request: ValueRequest
    let compiler: FetchCompiler
    let entity: Entity
    var translator: FilterTranslator
    /// The key paths that are grouped by, with their SQL.
    private(set) var groups: [(path: [String], term: FilterTerm)] = []
    /// The columns of the result.
    var terms: [FilterTerm] = []
    private(set) var isAggregated = false
    /// Whether an aggregate depends on the order of its elements.
    var needsOrder = false
    let columns: [ValueRequest.Column]

    /// The number of columns that SQLite supports.
    private static let columnLimit = 2_000
    /// The alias of the subquery.
    private static let inner = "_r"

    init(_ request: ValueRequest, _ compiler: FetchCompiler) throws {
        self.request = request
        self.compiler = compiler
        let entity = try compiler.entity(named: request.entityName)
        self.entity = entity
        translator = FilterTranslator(compiler.schema, entity)
        var columns = request.columns
        if columns.isEmpty {
            columns = entity.properties.filter { compiler.schema.table(of: entity)?.column($0, of: entity) != nil }
                .map { ValueRequest.Column($0.name, .keyPath([$0.name])) }
        }
        var names: Set<String> = []
        for index in columns.indices {
            guard names.insert(columns[index].name).inserted else {
                throw FetchError(.column, "the column \(columns[index].name) appears twice; rename one")
            }
            columns[index].expression = try columns[index].expression.substituting(request.variables)
        }
        self.columns = columns
    }

    // MARK: Columns

    mutating func query() throws -> ValueQuery {
        for path in request.groupBy {
            let name = path.joined(separator: ".")
            guard !path.isEmpty,
                case .term(let term) = try translator.follow(path[...], from: .term(translator.subject))
            else { throw toMany(name) }
            groups.append((path, term))
        }
        isAggregated = !groups.isEmpty
        for column in columns where !isAggregated { isAggregated = try hasAggregate(column.expression) }
        for column in columns {
            let expression = isAggregated ? try grouped(column.expression) : column.expression
            guard case .term(let term) = try translator.side(expression) else { throw toMany(column.name) }
            terms.append(term)
        }
        let isPlain = !isAggregated && !request.isDistinct && request.having == nil
        return isPlain ? try plain() : try nested()
    }

    func toMany(_ name: String) -> FetchError {
        FetchError(
            .toMany,
            "\(entity.name).\(name) is to-many and has no single value; count it, or request its destination")
    }

    // MARK: Queries

    /// The conditions on rows.
    mutating func conditions() throws -> [SQLFragment] {
        try compiler.conditions(
            entity, request.filter, request.variables, includesSubentities: request.includesSubentities, &translator)
    }

    /// Whether the rows that match best come first.
    private var isRanked: Bool { compiler.match != nil && request.sort.isEmpty && !isAggregated && !request.isDistinct }

    /// The table with its conditions.
    private mutating func rows() throws -> SQLFragment {
        let table = compiler.table(of: entity)
        guard isRanked, let match = compiler.match else { return table + FetchCompiler.clause(try conditions()) }
        var unmatched = compiler
        unmatched.match = nil
        let others = try unmatched.conditions(
            entity, request.filter, request.variables, includesSubentities: request.includesSubentities, &translator)
        return match.ranked(table, key: compiler.column("_pk")) + FetchCompiler.clause(others)
    }

    private mutating func plain() throws -> ValueQuery {
        let from = try rows()
        var order = try request.sort.map { try self.order($0, terms, rest: translator.subject) }
        if isRanked { order = [SearchMatch.rank] }
        let (list, columns) = try results(terms)
        var sql: SQLFragment = "SELECT \(list) FROM \(from)"
        let keys = compiler.ordersByKey ? order + [compiler.column("_pk")] : order
        if !keys.isEmpty { sql += " ORDER BY \(keys)" }
        sql += try RowRequest.window(limit: request.limit, offset: request.offset)
        return ValueQuery(sql: sql, columns: columns, model: compiler.model)
    }

    private mutating func nested() throws -> ValueQuery {
        func outer(_ name: String, _ term: FilterTerm) -> FilterTerm {
            var outer = FilterTerm("\(identifier: Self.inner).\(identifier: name)", term.kind)
            outer.entity = term.entity
            outer.isSimple = true
            return outer
        }
        var list = terms.enumerated().map { index, term -> SQLFragment in "\(term.sql) AS \(identifier: "_c\(index)")" }
        list += groups.enumerated().map { index, group in "\(group.term.sql) AS \(identifier: "_g\(index)")" }
        if !isAggregated {
            list.append("\(compiler.column("_pk")) AS \"_pk\"")
        } else if groups.isEmpty {
            // One result, even if all columns turned out to be constants.
            list.append("COUNT(*)")
        }
        if isRanked { list.append("\(SearchMatch.rank) AS \"_rank\"") }
        try check(list.count)
        var sql: SQLFragment = "SELECT \(list) FROM \(try source())"
        if !groups.isEmpty { sql += " GROUP BY \(try groups.map { try key($0.term, $0.path.joined(separator: ".")) })" }

        let results = terms.enumerated().map { index, term in outer("_c\(index)", term) }
        for index in groups.indices { groups[index].term = outer("_g\(index)", groups[index].term) }
        let row = FilterTerm(key: "\(identifier: Self.inner).\"_pk\"", of: entity)
        let condition = try having(results)
        let base = isAggregated || request.isDistinct ? nil : row
        var order = try request.sort.map { try self.order($0, results, rest: base) }
        if isRanked { order = ["\(identifier: Self.inner).\"_rank\""] }
        let (selected, columns) = try self.results(results)
        sql = "SELECT \(selected) FROM (\(sql)) AS \(identifier: Self.inner)\(FetchCompiler.clause(condition))"
        // Rows that are equal by all sort keys are ordered by their distinct values, groups or keys.
        var tiebreakers: [SQLFragment] = []
        if request.isDistinct {
            tiebreakers = try zip(results, self.columns).map { try key($0, $1.name) }
            sql += " GROUP BY \(tiebreakers)"
        } else {
            tiebreakers =
                isAggregated ? try groups.map { try key($0.term, $0.path.joined(separator: ".")) } : [row.sql]
        }
        if !(order + tiebreakers).isEmpty { sql += " ORDER BY \(order + tiebreakers)" }
        sql += try RowRequest.window(limit: request.limit, offset: request.offset)
        return ValueQuery(sql: sql, columns: columns, model: compiler.model)
    }

    /// The rows, ordered by key if an aggregate depends on their order, as a sum of floating point numbers does.
    private mutating func source() throws -> SQLFragment {
        let rows = try rows()
        guard needsOrder else { return rows }
        let alias = FetchCompiler.alias
        return
            "(SELECT \(identifier: alias).* FROM \(rows) ORDER BY \(compiler.column("_pk"))) AS \(identifier: alias)"
    }

    /// The columns of the result: the requested ones, then the entities of objects.
    func results(_ terms: [FilterTerm]) throws(FetchError) -> ([SQLFragment], [ValueQuery.Column]) {
        var list = terms.map(\.sql)
        var columns: [ValueQuery.Column] = []
        for (term, column) in zip(terms, self.columns) {
            var result = ValueQuery.Column(name: column.name, kind: term.kind, entity: term.entity)
            if let entity = term.entity, !entity.root.subentities.isEmpty {
                result.entityColumn = list.count
                list.append(
                    "(SELECT \"_e\".\"_entity\" FROM \(identifier: entity.root.name) AS \"_e\" WHERE \"_e\".\"_pk\" = \(term.sql))"
                )
            }
            columns.append(result)
        }
        try check(list.count)
        return (list, columns)
    }

    private func check(_ count: Int) throws(FetchError) {
        guard count <= Self.columnLimit else {
            throw FetchError(
                .column, "the request has \(count) columns, and \(Self.columnLimit) is the limit; request fewer")
        }
    }

    /// SQL that is equal for equal values; the text of equal decimals may differ.
    private func key(_ term: FilterTerm, _ name: String) throws(FetchError) -> SQLFragment {
        switch term.kind {
        case .any: throw FetchError(.unsupported, "the store cannot compare values of \(name)")
        case .number: "COALESCE(_order(\(term.arguments)), \(term.sql))"
        default: term.sql
        }
    }

    // MARK: Names of columns

    /// The column of the result that a key path begins with, and the rest of the path.
    private func column(_ path: [String]) -> (index: Int, rest: ArraySlice<String>)? {
        for count in (1...max(1, path.count)).reversed() where count <= path.count {
            let name = path.prefix(count).joined(separator: ".")
            if let index = columns.firstIndex(where: { $0.name == name }) { return (index, path[count...]) }
        }
        return nil
    }

    private func unknown(_ name: String) -> FetchError {
        let names = columns.map(\.name)
        let known = names.count > 20 ? "\(names.count) columns" : names.joined(separator: ", ")
        return FetchError(.column, "there is no column \(name) in the result; it has \(known)")
    }

    private mutating func having(_ results: [FilterTerm]) throws -> [SQLFragment] {
        guard let filter = try request.having?.substituting(request.variables), filter != .always else { return [] }
        for (index, term) in results.enumerated() { translator.variables["\u{0}c\(index)"] = term }
        let condition = try filter.mapping { expression in
            switch expression {
            case .subject: throw unknown("SELF")
            case .keyPath(let path):
                guard let (index, rest) = column(path) else { throw unknown(path.joined(separator: ".")) }
                let variable = FilterExpression.variable("\u{0}c\(index)")
                return rest.isEmpty ? variable : .path(variable, Array(rest))
            default: return nil
            }
        }
        return [try translator.condition(condition)]
    }

    /// The SQL of a sort key: a column of the result, a key path that is grouped by, or a key path from `base`.
    private mutating func order(_ key: SortKey, _ results: [FilterTerm], rest base: FilterTerm?) throws -> SQLFragment {
        if let (index, rest) = column(key.keyPath) {
            return try translator.order(translator.follow(rest, from: .term(results[index])), by: key)
        }
        if let group = groups.first(where: { key.keyPath.starts(with: $0.path) }), !request.isDistinct {
            let rest = key.keyPath[group.path.count...]
            return try translator.order(translator.follow(rest, from: .term(group.term)), by: key)
        }
        guard let base else { throw unknown(key.keyPath.joined(separator: ".")) }
        return try translator.order(translator.follow(key.keyPath[...], from: .term(base)), by: key)
    }
}

extension FetchCompiler {
    /// The SQL of a request for values, with the types of its columns.
    package func query(_ request: ValueRequest) throws -> ValueQuery {
        var translation = try ValueTranslation(request, self)
        return try translation.query()
    }
}
