/// A table of the server, as its catalogue describes it.
struct PostgresTable: Sendable {
    /// A column.
    struct Column: Sendable {
        let name: String
        let type: PostgresType
        let isNotNull: Bool
        /// Whether the server makes a value for a row that has none.
        let hasDefault: Bool
        /// The expression that makes it; nil for a column that numbers rows.
        let defaultValue: PostgresSQL?
        /// Whether the server computes all values.
        let isGenerated: Bool
    }

    let schema: String
    let name: String
    let columns: [Column]
    /// The columns of the primary key, then those of the other unique indexes.
    let keys: [[String]]
    /// Whether triggers, rules or further unique indexes may let one transaction wait for another.
    let mayWait: Bool
    /// Whether its rows are in partitions.
    let isPartitioned: Bool
    /// Whether it may refuse a row that its columns can hold.
    let mayRefuse: Bool
    /// Whether an import has made it.
    let isOwn: Bool
    /// The comment on tables that imports have made.
    static let comment: PostgresSQL = "'made by tributary import'"

    /// The name with its schema, quoted.
    var reference: PostgresSQL { "\(name: schema).\(name: name)" }

    /// The table `name` of the schemas that are searched; nil if there is none.
    init?(_ name: String, on connection: PostgresConnection) throws {
        let found = try connection.execute(
            """
            SELECT c.oid::bigint, n.nspname, c.relkind::text, c.relhasrules OR EXISTS (SELECT FROM pg_trigger g
            WHERE g.tgrelid = c.oid AND NOT g.tgisinternal) OR EXISTS (SELECT FROM pg_constraint k WHERE k.conrelid = c.oid
            AND k.contype IN ('x', 't')),
            obj_description(c.oid, 'pg_class') IS NOT DISTINCT FROM \(PostgresTable.comment),
            EXISTS (SELECT FROM pg_constraint k WHERE k.conrelid = c.oid AND k.contype IN ('c', 'f'))
            FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE c.oid = to_regclass(quote_ident($1))
            """, [.text(name)])
        guard found.rowCount > 0, let id = found.integer(0, 0), let schema = found.text(0, 1) else { return nil }
        guard let kind = found.text(0, 2), ["r", "p"].contains(kind) else {
            throw PostgresError(
                .misuse, "\(name) is no table", hint: "import into a table; a view or foreign table takes no rows here")
        }
        self.schema = schema
        self.name = name
        columns = try PostgresTable.columns(id, connection)
        keys = try PostgresTable.keys(id, connection)
        let unique = try connection.execute(
            "SELECT count(*) FROM pg_index WHERE indrelid = $1::bigint::oid AND indisunique", [.integer(id)])
        isOwn = found.text(0, 4) == "t"
        isPartitioned = kind == "p"
        mayWait = found.text(0, 3) == "t" || unique.integer(0, 0) ?? 0 > 1
        mayRefuse = mayWait || !isOwn || found.text(0, 5) == "t"
    }

    private static func columns(_ id: Int64, _ connection: PostgresConnection) throws -> [Column] {
        let rows = try connection.execute(
            """
            SELECT a.attname, t.id::bigint, t.modifier, format_type(a.atttypid, a.atttypmod), format_type(t.id, -1),
            a.attnotnull, a.atthasdef OR a.attidentity <> '', a.attgenerated <> '' OR a.attidentity = 'a',
            CASE WHEN a.attidentity = 'd' THEN format('nextval(%L::regclass)',
            pg_get_serial_sequence(a.attrelid::regclass::text, a.attname))
            WHEN a.attgenerated = '' THEN pg_get_expr(d.adbin, d.adrelid) END,
            EXISTS (SELECT FROM pg_collation l WHERE l.oid = a.attcollation AND NOT l.collisdeterministic)
            FROM pg_attribute a CROSS JOIN LATERAL (WITH RECURSIVE base AS (
            SELECT a.atttypid AS id, a.atttypmod AS modifier UNION ALL
            SELECT y.typbasetype, y.typtypmod FROM base b JOIN pg_type y ON y.oid = b.id WHERE y.typtype = 'd')
            SELECT b.* FROM base b JOIN pg_type y ON y.oid = b.id WHERE y.typtype <> 'd') t
            LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
            WHERE a.attrelid = $1::bigint::oid AND a.attnum > 0 AND NOT a.attisdropped ORDER BY a.attnum
            """, [.integer(id)])
        return (0..<rows.rowCount).map { row in
            let type = PostgresType(
                id: Int(rows.integer(row, 1) ?? 0), modifier: Int(rows.integer(row, 2) ?? -1),
                name: rows.text(row, 3) ?? "text", plainName: rows.text(row, 4) ?? "text",
                isLoose: rows.text(row, 9) == "t")
            return Column(
                name: rows.text(row, 0) ?? "", type: type, isNotNull: rows.text(row, 5) == "t",
                hasDefault: rows.text(row, 6) == "t",
                defaultValue: rows.text(row, 8).map(PostgresSQL.init(catalogue:)), isGenerated: rows.text(row, 7) == "t"
            )
        }
    }

    private static func keys(_ id: Int64, _ connection: PostgresConnection) throws -> [[String]] {
        let rows = try connection.execute(
            """
            SELECT i.indexrelid::bigint, a.attname FROM pg_index i
            CROSS JOIN LATERAL unnest(i.indkey::smallint[]) WITH ORDINALITY k(number, place)
            JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = k.number
            WHERE i.indrelid = $1::bigint::oid AND i.indisunique AND i.indisvalid AND i.indimmediate
            AND i.indpred IS NULL AND i.indexprs IS NULL AND k.place <= i.indnkeyatts
            ORDER BY i.indisprimary DESC, i.indexrelid, k.place
            """, [.integer(id)])
        var keys: [(id: Int64, names: [String])] = []
        for row in 0..<rows.rowCount {
            guard let index = rows.integer(row, 0), let name = rows.text(row, 1) else { continue }
            if keys.last?.id == index {
                keys[keys.count - 1].names.append(name)
            } else {
                keys.append((index, [name]))
            }
        }
        return keys.map(\.names)
    }

    /// The column with just this name.
    func column(exactly name: String) -> Column? { columns.first { $0.name == name } }

    /// The column with a name, or with the name in another case if there is only one.
    func column(_ name: String) -> Column? {
        if let column = column(exactly: name) { return column }
        let others = columns.filter { $0.name.lowercased() == name.lowercased() }
        return others.count == 1 ? others[0] : nil
    }

    /// Adds a column.
    func addition(of column: String, _ type: PostgresType) -> PostgresSQL {
        "ALTER TABLE \(reference) ADD COLUMN \(name: column) \(PostgresSQL(catalogue: type.name))"
    }

    /// Gives a column a type that holds its values and others.
    func widening(of column: String, to type: PostgresType) -> PostgresSQL {
        let value: PostgresSQL =
            switch type.form {
            case .jsonb: "to_jsonb(\(name: column))"
            // The direct cast keeps 15 digits only.
            case .numeric: "\(name: column)::text::numeric"
            default: "\(name: column)::\(PostgresSQL(catalogue: type.name))"
            }
        return """
            ALTER TABLE \(reference) ALTER COLUMN \(name: column) TYPE \(PostgresSQL(catalogue: type.name)) USING \(value)
            """
    }
}
