import TributarySQLite

/// Finds the rows that have the keys of a table: one SELECT, whatever their number.
///
/// Its text is the same for any number of keys, which stand in the connection's table of keys. Where an index has them,
/// each is looked up; where none has, the rows are read through once.
///
///     … FROM "_keys" AS "_k" CROSS JOIN "User" AS "_o" ON "_o"."id" = "_k"."c0"
///     … FROM "User" AS "_o" WHERE "_o"."id" IN (SELECT "c0" FROM "_keys") ORDER BY "_o"."id", "_o"."_pk"
struct KeyQuery {
    /// The SQL, and what it gives.
    let query: RowQuery

    /// For keys of `columns` of an entity.
    init?(_ attributes: [AttributeProperty], of entity: Entity, _ compiler: FetchCompiler) {
        guard let table = compiler.schema.table(of: entity) else { return nil }
        let columns = attributes.compactMap { table.column(.attribute($0), of: entity)?.name }
        guard columns.count == attributes.count else { return nil }
        let layout = compiler.layout(.all, of: entity)
        let keys: SQLFragment = "\(identifier: KeyTable.name)"
        let parts = columns.indices.map { place -> SQLFragment in "\(identifier: "c\(place)")" }
        let names = columns.map(compiler.column)
        let scope = compiler.scope(of: entity)
        var sql: SQLFragment = "SELECT \(layout.names.map(compiler.column)) FROM "
        if compiler.schema.isIndexed(table, by: columns) {
            let pairs = zip(names, parts).map { name, part -> SQLFragment in "\(name) = \"_k\".\(part)" }
            sql += "\(keys) AS \"_k\" CROSS JOIN \(compiler.table(of: entity)) ON \(pairs, separator: " AND ")"
            sql += FetchCompiler.clause(scope)
        } else {
            let subject: SQLFragment = names.count == 1 ? names[0] : "(\(names))"
            let condition: SQLFragment = "\(subject) IN (SELECT \(parts) FROM \(keys))"
            sql += "\(compiler.table(of: entity))\(FetchCompiler.clause([condition] + scope))"
            sql += " ORDER BY \(names), \(compiler.column("_pk"))"
        }
        query = RowQuery(sql: sql, layout: layout)
    }
}
