import TributarySQLite

/// Translates one request for values.
///
/// A plain request is one query. With groups, distinct rows or a condition on the result there is one within another:
/// the inner one computes the columns `_c0`, `_c1`, …, the outer one passes, joins, orders and cuts its rows. Columns of
/// the inner one are variables to the filters outside, whose names no filter can spell.
struct ValueTranslation {
    let request: ValueRequest
    let compiler: FetchCompiler
    let entity: Entity
    var translator: FilterTranslator
    /// What makes a group.
    private(set) var groups: [(path: [String], term: FilterTerm)] = []
    /// The columns of the result.
    private(set) var terms: [FilterTerm] = []
    private(set) var isAggregated = false
    /// Whether an aggregate depends on the order of its elements.
    var needsOrder = false
    private let columns: [ValueRequest.Column]

    /// The most columns that SQLite takes.
    private static let mostColumns = 2_000
    /// What the inner query is called.
    private static let inner = "_r"

    init(_ request: ValueRequest, _ compiler: FetchCompiler) throws {
        self.request = request
        self.compiler = compiler
        let entity = try compiler.entity(named: request.entityName)
        self.entity = entity
        translator = FilterTranslator(
            FilterCompiler(schema: compiler.schema, entity: entity, alias: FetchCompiler.alias))
        var columns = request.columns
        if columns.isEmpty {
            columns = entity.properties.filter { compiler.schema.table(of: entity)?.column($0, of: entity) != nil }
                .map { ValueRequest.Column($0.name, .keyPath([$0.name])) }
        }
        var names: Set<String> = []
        for index in columns.indices {
            guard names.insert(columns[index].name).inserted else {
                throw FetchError(.column, "the column \(columns[index].name) stands twice; give one another name")
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

    private func toMany(_ name: String) -> FetchError {
        FetchError(
            .toMany,
            "\(entity.name).\(name) leads to many, so that it is no single value; count it, or request what it leads to"
        )
    }

    // MARK: Queries

    /// The conditions on rows.
    private mutating func conditions() throws -> [SQLFragment] {
        let scope = compiler.scope(of: entity, includesSubentities: request.includesSubentities)
        guard let filter = try request.filter?.substituting(request.variables), filter != .always else { return scope }
        return scope + [try translator.condition(filter)]
    }

    private mutating func plain() throws -> ValueQuery {
        let clause = FetchCompiler.clause(try conditions())
        var order: [SQLFragment] = []
        for key in request.sort { order.append(try self.order(key, terms, rest: translator.subject)) }
        let (list, columns) = try results(terms)
        var sql: SQLFragment = "SELECT \(list) FROM \(compiler.table(of: entity))\(clause)"
        sql += " ORDER BY \(order + [compiler.column("_pk")])"
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
        if !isAggregated { list.append("\(compiler.column("_pk")) AS \"_pk\"") }
        try check(list.count)
        var sql: SQLFragment = "SELECT \(list) FROM \(try source())"
        if !groups.isEmpty { sql += " GROUP BY \(try groups.map { try key($0.term, $0.path.joined(separator: ".")) })" }

        let results = terms.enumerated().map { index, term in outer("_c\(index)", term) }
        for index in groups.indices { groups[index].term = outer("_g\(index)", groups[index].term) }
        let row = FilterTerm(key: "\(identifier: Self.inner).\"_pk\"", of: entity)
        let condition = try having(results)
        var order: [SQLFragment] = []
        for key in request.sort {
            order.append(try self.order(key, results, rest: isAggregated || request.isDistinct ? nil : row))
        }
        let (selected, columns) = try self.results(results)
        sql = "SELECT \(selected) FROM (\(sql)) AS \(identifier: Self.inner)\(FetchCompiler.clause(condition))"
        // What no key tells apart comes in the order of what does.
        var ends: [SQLFragment] = []
        if request.isDistinct {
            ends = try zip(results, self.columns).map { try key($0, $1.name) }
            sql += " GROUP BY \(ends)"
        } else {
            ends = isAggregated ? try groups.map { try key($0.term, $0.path.joined(separator: ".")) } : [row.sql]
        }
        if !(order + ends).isEmpty { sql += " ORDER BY \(order + ends)" }
        sql += try RowRequest.window(limit: request.limit, offset: request.offset)
        return ValueQuery(sql: sql, columns: columns, model: compiler.model)
    }

    /// The rows; by number where an aggregate depends on their order, as sums of fractions do.
    private mutating func source() throws -> SQLFragment {
        let clause = FetchCompiler.clause(try conditions())
        let table = compiler.table(of: entity)
        guard needsOrder else { return table + clause }
        let alias = FetchCompiler.alias
        return
            "(SELECT \(identifier: alias).* FROM \(table)\(clause) ORDER BY \(compiler.column("_pk"))) AS \(identifier: alias)"
    }

    /// The columns of the result: those that are asked for, then the entities of objects.
    private func results(_ terms: [FilterTerm]) throws(FetchError) -> ([SQLFragment], [ValueQuery.Column]) {
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
        guard count <= Self.mostColumns else {
            throw FetchError(
                .column, "the request makes \(count) columns, and \(Self.mostColumns) is the most; ask for fewer")
        }
    }

    /// What is equal where values are: decimals may be written in several ways.
    private func key(_ term: FilterTerm, _ name: String) throws(FetchError) -> SQLFragment {
        switch term.kind {
        case .any: throw FetchError(.unsupported, "the store cannot tell equal values of \(name) from others")
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
        let condition = try filter.replacing { expression in
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

    /// A key of the order: a column of the result, what makes a group, or a key path from `rest`.
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
