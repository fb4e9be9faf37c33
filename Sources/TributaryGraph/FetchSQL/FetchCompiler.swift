package import TributarySQLite

/// Turns requests for objects into SQL: one statement each, whatever the number of rows.
///
///     let compiler = FetchCompiler(schema: store.schema, model: store.model)
///     let query = try compiler.objects(RowRequest(entity: "Book", where: "price > 3"))
///     try query.forEachRow(on: connection) { row in … query.layout … }
///
/// Values are bound, names are quoted. The connection must have ``FilterFunctions``.
package struct FetchCompiler: Sendable {
    /// What the table of the rows is called in the SQL.
    static let alias = "_o"

    package let schema: Schema
    package let model: Model

    package init(schema: Schema, model: Model) {
        self.schema = schema
        self.model = model
    }

    // MARK: Requests

    /// All columns of the rows; of a request for a parent entity, those of its subentities too.
    ///
    /// - Throws: `FetchError`, `FilterError`.
    package func objects(_ request: RowRequest) throws -> RowQuery { try rows(request, .all) }

    /// The numbers of the rows, and what they are.
    ///
    /// - Throws: `FetchError`, `FilterError`.
    package func ids(_ request: RowRequest) throws -> RowQuery { try rows(request, .keys) }

    /// The rows, as much of them as is asked for.
    ///
    /// - Throws: `FetchError`, `FilterError`.
    package func rows(_ request: RowRequest, _ columns: RowColumns) throws -> RowQuery {
        let entity = try entity(named: request.entityName)
        let order = try FilterCompiler(schema: schema, entity: entity, alias: Self.alias).order(request.sort)
        var (sql, layout) = select(columns, of: entity, includesSubentities: request.includesSubentities)
        sql += Self.clause(try conditions(request, entity))
        sql += " ORDER BY \((order.isEmpty ? [] : [order]) + [column("_pk")])"
        sql += try RowRequest.window(limit: request.limit, offset: request.offset)
        return RowQuery(sql: sql, layout: layout)
    }

    /// How many rows there are: one row with one number.
    ///
    /// - Throws: `FetchError`, `FilterError`.
    package func count(_ request: RowRequest) throws -> SQLFragment {
        let entity = try entity(named: request.entityName)
        // Of a key that is not there a count is an error as well.
        _ = try FilterCompiler(schema: schema, entity: entity, alias: Self.alias).order(request.sort)
        let rows: SQLFragment = "FROM \(table(of: entity))\(Self.clause(try conditions(request, entity)))"
        if !request.hasWindow { return "SELECT COUNT(*) \(rows)" }
        let window = try RowRequest.window(limit: request.limit, offset: request.offset)
        return "SELECT COUNT(*) FROM (SELECT 1 \(rows)\(window))"
    }

    /// How many rows there are.
    ///
    /// - Throws: `FetchError`, `FilterError`, `SQLiteError`.
    package func count(_ request: RowRequest, on connection: Connection) throws -> Int {
        guard case .integer(let count) = try connection.value(of: count(request)) else { return 0 }
        return Int(count)
    }

    /// The rows of some numbers, in the order of the numbers; what is not there is missing.
    package func rows(of entity: Entity, keys: some Sequence<Int64>, columns: RowColumns = .all) -> RowQuery {
        var (sql, layout) = select(columns, of: entity)
        let list: SQLFragment = "\(column("_pk")) IN (\(KeyList(keys).query))"
        sql += "\(Self.clause([list] + scope(of: entity))) ORDER BY \(column("_pk"))"
        return RowQuery(sql: sql, layout: layout)
    }

    // MARK: Parts

    /// The entity of a name.
    ///
    /// - Throws: `FetchError` if the model has none.
    package func entity(named name: String) throws(FetchError) -> Entity {
        if let entity = model[name] { return entity }
        let names = model.entities.map(\.name).sorted()
        let known = names.count > 20 ? "\(names.count) entities" : names.joined(separator: ", ")
        throw FetchError(.entity, "there is no entity \(name); the model has \(known)")
    }

    /// A column of the rows.
    func column(_ name: String) -> SQLFragment { "\(identifier: Self.alias).\(identifier: name)" }

    /// The table of the rows.
    func table(of entity: Entity) -> SQLFragment { "\(identifier: entity.root.name) AS \(identifier: Self.alias)" }

    /// The beginning of a query, as far as the table.
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

    /// The conditions that rows of a table are of an entity.
    func scope(of entity: Entity, includesSubentities: Bool = true, alias: String = alias) -> [SQLFragment] {
        let compiler = FilterCompiler(schema: schema, entity: entity, alias: alias)
        let scope = compiler.scope(includesSubentities: includesSubentities)
        return scope == "1" ? [] : [scope]
    }

    private func conditions(_ request: RowRequest, _ entity: Entity) throws -> [SQLFragment] {
        let scope = scope(of: entity, includesSubentities: request.includesSubentities)
        guard let filter = try request.filter?.substituting(request.variables), filter != .always else { return scope }
        let compiler = FilterCompiler(schema: schema, entity: entity, alias: Self.alias)
        return scope + [try compiler.condition(filter)]
    }

    /// All conditions behind WHERE; nothing without any.
    static func clause(_ conditions: [SQLFragment]) -> SQLFragment {
        conditions.isEmpty ? "" : " WHERE \(conditions, separator: " AND ")"
    }
}
