import TributarySQLite

/// Finds the rows that have the keys of a table, with one SELECT for any number of keys.
///
/// The text is the same for any number of keys, which are in the connection's table of keys. If the columns have an
/// index, each key is looked up in it; otherwise the rows are scanned once.
///
///     … FROM "_keys" AS "_k" CROSS JOIN "User" AS "_o" ON "_o"."id" = "_k"."c0"
///     … FROM "User" AS "_o" WHERE "_o"."id" IN (SELECT "c0" FROM "_keys") ORDER BY "_o"."id", "_o"."_pk"
///
/// A dump that is imported again mostly has its records in the order of the rows. Then a row is expected as far after
/// the row of the first record as the records are apart, and looked up in the index only if that row has another key:
///
///     … FROM "_keys" AS "_k" CROSS JOIN "User" AS "_o" ON "_o"."_pk" = COALESCE((… expected), (… indexed))
package struct KeyQuery {
    /// The SQL and the layout of its result.
    package let query: RowQuery
    /// Whether keys are passed in the order of the records, each followed by the index of its record.
    package let isInOrder: Bool

    /// A query for the keys of `attributes` of an entity; nil if its table lacks one of them.
    package init?(_ attributes: [AttributeProperty], of entity: Entity, _ compiler: FetchCompiler, mayBeInOrder: Bool) {
        guard let table = compiler.schema.table(of: entity) else { return nil }
        let columns = attributes.compactMap { table.column(.attribute($0), of: entity)?.name }
        guard columns.count == attributes.count else { return nil }
        let layout = compiler.layout(.all, of: entity)
        let keys: SQLFragment = "\(identifier: KeyTable.name)"
        let parts = columns.indices.map { index -> SQLFragment in "\(identifier: "c\(index)")" }
        let names = columns.map(compiler.column)
        let scope = compiler.scope(of: entity)
        isInOrder = mayBeInOrder && scope.isEmpty && compiler.schema.isUnique(table, by: columns)
        var sql: SQLFragment = "SELECT \(layout.names.map(compiler.column)) FROM "
        if isInOrder {
            func match(_ alias: String, _ keys: String) -> SQLFragment {
                let pairs = zip(columns, parts).map { column, part -> SQLFragment in
                    "\(identifier: alias).\(identifier: column) = \(identifier: keys).\(part)"
                }
                return "\(pairs, separator: " AND ")"
            }
            let rows: SQLFragment = "\(identifier: table.name)"
            let number: SQLFragment = "\(identifier: "c\(columns.count)")"
            sql += "\(keys) AS \"_k\" CROSS JOIN \(compiler.table(of: entity)) ON \(compiler.column("_pk")) = COALESCE("
            sql += "(SELECT \"_g\".\"_pk\" FROM \(rows) AS \"_g\" WHERE \"_g\".\"_pk\" = \"_k\".\(number)"
            sql += " + (SELECT \"_a\".\"_pk\" - \"_f\".\(number) FROM \(keys) AS \"_f\" CROSS JOIN \(rows) AS \"_a\""
            sql += " ON \(match("_a", "_f")) LIMIT 1) AND \(match("_g", "_k"))),"
            sql += " (SELECT \"_i\".\"_pk\" FROM \(rows) AS \"_i\" WHERE \(match("_i", "_k"))))"
        } else if compiler.schema.isIndexed(table, by: columns) {
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
