package import TributarySQLite

/// Translates requests for objects to SQL: one statement each, whatever the number of rows.
///
///     let compiler = FetchCompiler(schema: store.schema, model: store.model)
///     let query = try compiler.rows(RowRequest(entity: "Book", where: "price > 3"))
///     try query.forEachRow(on: connection) { row in … query.layout … }
///
/// Values are bound, names are quoted. ``FilterFunctions`` must be defined on the connection.
package struct FetchCompiler: Sendable {
    /// The alias of the requested table in the SQL.
    package static let alias = FilterTranslator.subjectAlias

    package let schema: Schema
    package let model: Model
    /// Whether rows without another order have that of their keys; false where a table has no keys.
    package var ordersByKey = true
    /// The words that rows must have; nil for all rows.
    var match: SearchMatch?

    package init(schema: Schema, model: Model) {
        self.schema = schema
        self.model = model
    }

    // MARK: Requests

    /// A query for the rows with the requested columns, those of subentities included.
    package func rows(_ request: RowRequest, _ columns: RowColumns = .all) throws -> RowQuery {
        let entity = try entity(named: request.entityName)
        let order = try order(request.sort, of: entity)
        var (sql, layout) = select(columns, of: entity, includesSubentities: request.includesSubentities)
        sql += Self.clause(try conditions(request, entity))
        sql += " ORDER BY \(order + [column("_pk")])"
        sql += try RowRequest.window(limit: request.limit, offset: request.offset)
        return RowQuery(sql: sql, layout: layout)
    }

    /// A query for the number of rows: one row with one value.
    package func count(_ request: RowRequest) throws -> SQLFragment {
        let entity = try entity(named: request.entityName)
        // An unknown sort key is an error of a count too.
        _ = try order(request.sort, of: entity)
        let rows: SQLFragment = "FROM \(table(of: entity))\(Self.clause(try conditions(request, entity)))"
        if !request.hasWindow { return "SELECT COUNT(*) \(rows)" }
        let window = try RowRequest.window(limit: request.limit, offset: request.offset)
        return "SELECT COUNT(*) FROM (SELECT 1 \(rows)\(window))"
    }

    /// The number of rows.
    package func count(_ request: RowRequest, on connection: Connection) throws -> Int {
        try Int(connection.integer(of: count(request)) ?? 0)
    }

    /// A query for the rows with some keys, in the order of the keys, without the keys that have no row.
    package func rows(of entity: Entity, keys: some Sequence<Int64>, columns: RowColumns = .all) -> RowQuery {
        var (sql, layout) = select(columns, of: entity)
        let list: SQLFragment = "\(column("_pk")) IN (\(SQLFragment.query(for: keys)))"
        sql += "\(Self.clause([list] + scope(of: entity))) ORDER BY \(column("_pk"))"
        return RowQuery(sql: sql, layout: layout)
    }

    // MARK: Parts

    /// The entity with a name.
    package func entity(named name: String) throws(FetchError) -> Entity {
        if let entity = model[name] { return entity }
        let names = model.entities.map(\.name).sorted()
        let known = names.count > 20 ? "\(names.count) entities" : names.joined(separator: ", ")
        throw FetchError(.entity, "there is no entity \(name); the model has \(known)")
    }

    /// A column of the requested table.
    func column(_ name: String) -> SQLFragment { "\(identifier: Self.alias).\(identifier: name)" }

    /// The requested table with its alias, for a FROM.
    package func table(of entity: Entity) -> SQLFragment {
        "\(identifier: entity.root.name) AS \(identifier: Self.alias)"
    }

    /// The start of a query up to its table, and the layout of its rows.
    private func select(
        _ columns: RowColumns, of entity: Entity, includesSubentities: Bool = true
    ) -> (SQLFragment, RowLayout) {
        let layout = layout(columns, of: entity, includesSubentities: includesSubentities)
        return ("SELECT \(layout.names.map(column)) FROM \(table(of: entity))", layout)
    }

    func layout(
        _ columns: RowColumns, of entity: Entity, includesSubentities: Bool = true, hasOwner: Bool = false
    ) -> RowLayout {
        guard let table = schema.table(of: entity) else { preconditionFailure("\(entity.name) is of another model") }
        return RowLayout(
            entity, in: table, columns, includesSubentities: includesSubentities, hasOwner: hasOwner)
    }

    /// The conditions that select the rows of an entity from its table.
    package func scope(
        of entity: Entity, includesSubentities: Bool = true, alias: String = alias
    ) -> [SQLFragment] {
        let translator = FilterTranslator(schema, entity, alias: alias)
        return translator.tag(entity, in: alias, includesSubentities: includesSubentities).map { [$0] } ?? []
    }

    /// A condition that is 1 or 0 for each row of an entity, never null.
    package func condition(_ filter: Filter, of entity: Entity) throws(FilterError) -> SQLFragment {
        var translator = FilterTranslator(schema, entity)
        return try translator.condition(filter)
    }

    /// The terms of an ORDER BY clause for rows of an entity.
    package func order(_ keys: [SortKey], of entity: Entity) throws(FilterError) -> [SQLFragment] {
        var translator = FilterTranslator(schema, entity)
        return try keys.map { key throws(FilterError) in
            let value = try translator.follow(key.keyPath[...], from: .term(translator.subject))
            return try translator.order(value, by: key)
        }
    }

    private func conditions(_ request: RowRequest, _ entity: Entity) throws -> [SQLFragment] {
        var translator = FilterTranslator(schema, entity)
        return try conditions(
            entity, request.filter, request.variables, includesSubentities: request.includesSubentities, &translator)
    }

    /// The conditions that select the rows of a request from its table.
    func conditions(
        _ entity: Entity, _ filter: Filter?, _ variables: [String: FilterValue], includesSubentities: Bool,
        among keys: [Int64]? = nil, _ translator: inout FilterTranslator
    ) throws -> [SQLFragment] {
        var conditions = scope(of: entity, includesSubentities: includesSubentities)
        if let keys { conditions.append("\(column("_pk")) IN (\(SQLFragment.query(for: keys)))") }
        if let match { conditions.append(match.condition(column("_pk"))) }
        if let filter = try filter?.substituting(variables), filter != .always {
            conditions.append(try translator.condition(filter))
        }
        return conditions
    }

    /// A WHERE clause with all conditions; empty if there are none.
    static func clause(_ conditions: [SQLFragment]) -> SQLFragment {
        conditions.isEmpty ? "" : " WHERE \(conditions, separator: " AND ")"
    }
}
