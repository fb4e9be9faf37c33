import TributaryStore

/// The statements that write the rows of a temporary table into a table, and count what became of them.
struct StagingTable: Sendable {
    /// What the rows of a group need.
    struct Shape: Hashable, Sendable {
        /// Whether a row lacks the value of a column, which an existing row then keeps.
        var isMasked = false
        /// Whether rows are written in several parts, by their numbers.
        var isNumbered = false
    }

    let target: TargetTable
    let mode: ImportMode
    /// The name of the temporary table.
    let name: String

    var reference: PostgresSQL { "pg_temp.\(name: name)" }
    /// The names of the columns besides those of the table.
    let number: String
    private let mask, isNew: String

    init(_ target: TargetTable, mode: ImportMode, number: Int) {
        (self.target, self.mode) = (target, mode)
        name = "tributary_stage_\(number)"
        let taken = Set(target.columns.map(\.name))
        func free(_ wanted: String) -> String { taken.contains(wanted) ? free("_" + wanted) : wanted }
        (self.number, mask, isNew) = (free("_n"), free("_a"), free("_i"))
    }

    /// Creates the table; its rows live as long as a transaction.
    var creation: PostgresSQL {
        let columns = target.columns.map {
            "\(name: $0.name) \(PostgresSQL(catalogue: $0.type.stagedName))" as PostgresSQL
        }
        return """
            CREATE TEMPORARY TABLE IF NOT EXISTS \(name: name) (\(columns), \(name: number) integer,
            \(name: mask) boolean[]) ON COMMIT DELETE ROWS
            """
    }

    /// Deletes the table, which an earlier import through the connection may have made with other columns.
    var removal: PostgresSQL { "DROP TABLE IF EXISTS \(reference)" }

    /// Fills the table.
    func copy(_ shape: Shape) -> PostgresSQL {
        let names =
            target.columns.map(\.name) + (shape.isNumbered ? [number] : [])
            + (shape.isMasked ? [mask] : [])
        return "COPY \(reference) (\(names: names)) FROM STDIN (FORMAT binary)"
    }

    /// Removes all rows.
    var truncation: PostgresSQL { "TRUNCATE \(reference)" }

    // MARK: Parts

    private func column(_ index: Int, of table: PostgresSQL) -> PostgresSQL {
        "\(table).\(name: target.columns[index].name)"
    }

    /// A staged value as one of the type of its column.
    private func staged(_ index: Int) -> PostgresSQL {
        let type = target.columns[index].type
        return type.isConverted
            ? "s.\(name: target.columns[index].name)::\(PostgresSQL(catalogue: type.castName))"
            : column(index, of: "s")
    }

    /// Whether a record had no value for the column of a row.
    private func isAbsent(_ index: Int) -> PostgresSQL {
        "coalesce(s.\(name: mask)[\(PostgresSQL(number: index + 1))], false)"
    }

    /// The value of a new row: that of its record, or that which the server makes.
    private func newValue(_ index: Int, _ shape: Shape) -> PostgresSQL {
        guard shape.isMasked, let made = target.serverDefaults[index] else { return staged(index) }
        return "CASE WHEN \(isAbsent(index)) THEN \(made) ELSE \(staged(index)) END"
    }

    /// The value that a row gets: that of its record, unless a rule keeps that of the existing row `o`.
    private func value(_ index: Int, _ shape: Shape) -> PostgresSQL {
        var value = newValue(index, shape)
        guard !target.key.contains(index) else { return value }
        let rule = target.table.columns[index]
        let isNew: PostgresSQL = "(\(column(target.key[0], of: "o")) IS NULL)"
        let keepsAbsent = mode != .replace || rule.isKept
        if shape.isMasked, keepsAbsent {
            value = "CASE WHEN \(isAbsent(index)) AND NOT \(isNew) THEN \(column(index, of: "o")) ELSE \(value) END"
        }
        if let newest = target.table.newest.last(where: { $0.columns.contains(index) })?.by {
            value = """
                CASE WHEN \(staged(newest)) < \(column(newest, of: "o")) THEN \(column(index, of: "o"))
                ELSE \(value) END
                """
        }
        if rule.isSetOnce { value = "CASE WHEN \(isNew) THEN \(value) ELSE \(column(index, of: "o")) END" }
        return value
    }

    /// Whether the values of two rows differ in the columns that an import may change.
    private func differ(_ one: (Int) -> PostgresSQL, _ other: (Int) -> PostgresSQL) -> PostgresSQL {
        let parts = changeable.map { index -> (PostgresSQL, PostgresSQL) in
            let isComparable = target.columns[index].type.isComparable
            return isComparable
                ? (one(index), other(index))
                : ("(\(one(index)))::text COLLATE \"C\"", "(\(other(index)))::text COLLATE \"C\"")
        }
        return "(ROW(\(parts.map(\.0))) IS DISTINCT FROM ROW(\(parts.map(\.1))))"
    }

    private var changeable: [Int] { target.table.changeable }

    private var isSameKey: PostgresSQL {
        target.key.map { "\(column($0, of: "o")) = \(staged($0))" as PostgresSQL }.joined(separator: " AND ")
    }

    private func range(_ shape: Shape) -> PostgresSQL {
        shape.isNumbered ? "s.\(name: number) BETWEEN $1::integer AND $2::integer" : "true"
    }

    // MARK: Statements

    /// Writes the rows, or with numbers those between `$1` and `$2`; returns the numbers of inserted and updated rows,
    /// and of rows that were found.
    ///
    /// Only rows that are new or differ reach the insertion: PostgreSQL would lock each row that it meets there, and log
    /// that.
    func writing(_ shape: Shape) -> PostgresSQL {
        switch mode {
        case .upsert, .replace: upsert(shape)
        case .insert, .ignore: insertion(shape)
        case .update: update(shape)
        }
    }

    private var names: [String] { target.columns.map(\.name) }

    private var keyNames: [String] { target.key.map { target.columns[$0].name } }

    private func upsert(_ shape: Shape) -> PostgresSQL {
        let values = target.columns.indices.map { value($0, shape) }
        let isNew: PostgresSQL = "\(column(target.key[0], of: "o")) IS NULL"
        guard !changeable.isEmpty else { return insertion(shape) }
        let changes = changeable.map { index -> PostgresSQL in
            let name = target.columns[index].name
            return "\(name: name) = EXCLUDED.\(name: name)"
        }
        let rows: PostgresSQL = """
            FROM \(reference) s LEFT JOIN \(target.reference) o ON \(isSameKey)
            WHERE \(range(shape)) AND (\(isNew) OR \(differ({ column($0, of: "o") }, { value($0, shape) })))
            """
        let rest: PostgresSQL = """
            ON CONFLICT (\(names: keyNames)) DO UPDATE SET \(changes)
            WHERE \(differ({ column($0, of: "u") }, { column($0, of: "EXCLUDED") }))
            """
        let counts: PostgresSQL =
            "SELECT count(*) FILTER (WHERE i), count(*) FILTER (WHERE NOT i), NULL::bigint FROM w"
        guard target.isPartitioned else {
            return """
                WITH w AS (INSERT INTO \(target.reference) AS u (\(names: names)) SELECT \(values) \(rows) \(rest)
                RETURNING (xmax = 0) AS i) \(counts)
                """
        }
        // A row of a partition has no xmax here: the new ones are known before.
        let named = zip(values, names).map { "\($0) AS \(name: $1)" as PostgresSQL }
        return """
            WITH d AS MATERIALIZED (SELECT \(named), \(isNew) AS \(name: self.isNew) \(rows)), r AS (INSERT INTO
            \(target.reference) AS u (\(names: names)) SELECT \(names: names) FROM d \(rest) RETURNING \(names: keyNames)),
            w AS (SELECT d.\(name: self.isNew) AS i FROM r JOIN d USING (\(names: keyNames))) \(counts)
            """
    }

    private func insertion(_ shape: Shape) -> PostgresSQL {
        """
        WITH w AS (INSERT INTO \(target.reference) (\(names: names)) SELECT \(target.columns.indices.map { newValue($0, shape) })
        FROM \(reference) s LEFT JOIN \(target.reference) o ON \(isSameKey)
        WHERE \(range(shape)) AND \(column(target.key[0], of: "o")) IS NULL
        ON CONFLICT (\(names: keyNames)) DO NOTHING RETURNING true)
        SELECT count(*), 0::bigint, NULL::bigint FROM w
        """
    }

    /// Adds the rows, or with numbers those between `$1` and `$2`, in their order.
    func appending(_ shape: Shape) -> PostgresSQL {
        """
        INSERT INTO \(target.reference) (\(names: names)) SELECT \(target.columns.indices.map { newValue($0, shape) })
        FROM \(reference) s WHERE \(range(shape))
        """
    }

    private func update(_ shape: Shape) -> PostgresSQL {
        let found: PostgresSQL =
            "SELECT count(*) FROM \(reference) s JOIN \(target.reference) o ON \(isSameKey) WHERE \(range(shape))"
        guard !changeable.isEmpty else { return "SELECT 0::bigint, 0::bigint, (\(found))" }
        let changes = changeable.map { "\(name: target.columns[$0].name) = \(value($0, shape))" as PostgresSQL }
        return """
            WITH w AS (UPDATE \(target.reference) o SET \(changes) FROM \(reference) s
            WHERE \(range(shape)) AND \(isSameKey) AND \(differ({ column($0, of: "o") }, { value($0, shape) }))
            RETURNING true)
            SELECT 0::bigint, count(*), (\(found)) FROM w
            """
    }

    /// Returns the numbers of those rows among `$1` to `$2`, and in the array `$3`, that would be new.
    var newAmong: PostgresSQL {
        """
        SELECT s.\(name: number) FROM \(reference) s
        WHERE s.\(name: number) BETWEEN $1::integer AND $2::integer
        AND s.\(name: number) = ANY($3::integer[])
        AND NOT EXISTS (SELECT FROM \(target.reference) o WHERE \(isSameKey))
        """
    }

    /// Returns a row if two rows, or with numbers two of those between `$1` and `$2`, have the key of one row of the table.
    func repeatedKeys(_ shape: Shape) -> PostgresSQL {
        """
        SELECT FROM \(reference) s JOIN \(target.reference) o ON \(isSameKey) WHERE \(range(shape))
        GROUP BY \(target.key.map { column($0, of: "o") }) HAVING count(*) > 1 LIMIT 1
        """
    }

    /// Removes the rows with the numbers in the array `$1`.
    var deletion: PostgresSQL {
        "DELETE FROM \(reference) s WHERE s.\(name: number) = ANY($1::integer[])"
    }
}
