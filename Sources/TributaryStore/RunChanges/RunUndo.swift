package import TributarySQLite

/// Undoes what a run has changed: deletes the rows that it has made, and restores those that it has changed or
/// deleted, unless they were edited since.
///
///     1. plan the rows of each table, and keep those that were edited since
///     2. keep also rows that kept rows refer to, and rows that would refer to missing ones, until nothing changes
///     3. delete, restore and insert, in a few statements for each table, or one row after the other if it has triggers
///     4. keep rows whose unique values another row has taken since, and those that a trigger refuses
package struct RunUndo {
    /// A row that was left as it is.
    package struct KeptRow: Sendable, Hashable {
        /// The table.
        package let table: String
        /// The values that identify the row.
        package let key: [SQLValue]
        /// Why it was left.
        package let reason: String
    }

    /// What an undo has changed.
    package struct Outcome: Sendable {
        /// For each table the rows that the run had made.
        package var deleted: [String: Int] = [:]
        /// For each table the rows that the run had changed.
        package var restored: [String: Int] = [:]
        /// For each table the rows that the run had deleted.
        package var inserted: [String: Int] = [:]
        /// The number of rows that were left as they are.
        package var keptCount = 0
        /// The first of them.
        package var kept: [KeptRow] = []
    }

    /// The most rows in the list of an outcome.
    private static let listed = 1000
    private static let gone = "gone"
    static let taken = "another row has its unique values"

    let run: Int
    let connection: Connection
    private let tables: [RecordedTable]

    /// Undoes a run, in a transaction of the caller.
    package static func undo(run: Int, on connection: Connection) throws -> Outcome {
        try RunUndo(run: run, connection: connection, tables: RecordedTable.all(on: connection)).perform()
    }

    /// Forgets the changes of a run.
    package static func forget(run: Int, on connection: Connection) throws {
        for changes in try RecordedTable.names(on: connection).map({ RecordedTable.changes(of: $0) }) {
            try connection.execute("DELETE FROM \(identifier: changes) WHERE \"_run\" = \(run)")
            if try TableRows.isEmpty(changes, on: connection) {
                try connection.execute("DROP TABLE \(identifier: changes)")
            }
        }
    }

    private func perform() throws -> Outcome {
        defer { for table in tables { try? connection.execute("DROP TABLE IF EXISTS temp.\(plan(table))") } }
        for table in tables { try makePlan(table) }
        let references = try Reference.all(tables, on: connection)
        var isChanged = true
        while isChanged {
            isChanged = false
            for reference in references { if try keepRows(reference) { isChanged = true } }
        }
        // The rows of a table need not be in the order of its references.
        try connection.execute("PRAGMA defer_foreign_keys = ON")
        for table in tables { try delete(table) }
        for table in tables { try restore(table) }
        for table in tables { try insert(table) }
        // The triggers of another table may have changed rows again.
        for table in tables { if table.hasTriggers { try restoreSilently(table) } else { try restore(table) } }
        for table in tables { try keepRefused(table) }
        let outcome = try outcome()
        try RunUndo.forget(run: run, on: connection)
        return outcome
    }

    func plan(_ table: RecordedTable) -> SQLFragment { "\(identifier: "_undo." + table.name)" }

    // MARK: The plan

    private func makePlan(_ table: RecordedTable) throws {
        let keys = table.key.map { name -> SQLFragment in "\(identifier: name)" }
        try connection.execute("DROP TABLE IF EXISTS temp.\(plan(table))")
        try connection.execute(
            """
            CREATE TEMP TABLE \(plan(table)) ("_number" INTEGER PRIMARY KEY, \(table.keyDefinitions), "_kind", "_reason",
            "_isDone" DEFAULT 0, "_failure", UNIQUE (\(keys)))
            """)
        let isMissing: SQLFragment = "t.\(identifier: table.key[0]) IS NULL"
        try connection.execute(
            """
            INSERT INTO temp.\(plan(table)) (\(keys), "_kind", "_reason")
            SELECT \(RecordedTable.list(table.key, of: "c")), c."_kind",
            CASE c."_kind" WHEN 'd' THEN CASE WHEN \(isMissing) THEN NULL ELSE 'inserted again since' END
            WHEN 'i' THEN CASE WHEN \(isMissing) THEN \(RunUndo.gone) WHEN \(table.differs(from: table.new))
            THEN 'edited since' END
            ELSE CASE WHEN \(isMissing) THEN 'deleted since' WHEN \(table.differs(from: table.new))
            THEN 'edited since' END END
            FROM \(identifier: table.changes) AS c LEFT JOIN \(identifier: table.name) AS t
            ON \(table.hasSameKey("t", "c")) WHERE c."_run" = \(run) AND c."_kind" <> 'x'
            """)
    }

    /// A column of any table that refers to a column of a table with changes.
    private struct Reference {
        let name: String
        /// The table, if changes of it are kept as well.
        let table: RecordedTable?
        let column: String
        let target: RecordedTable
        let targetColumn: String

        static func all(_ tables: [RecordedTable], on connection: Connection) throws -> [Reference] {
            func isSame(_ one: String, _ other: String) -> Bool { one.lowercased() == other.lowercased() }
            var references: [Reference] = []
            try connection.forEachRow(
                of: """
                    SELECT m."name", f."table", f."from", f."to" FROM sqlite_master AS m
                    JOIN pragma_foreign_key_list(m."name") AS f WHERE m."type" = 'table'
                    """
            ) { row in
                let (name, other) = (row.text(at: 0), row.text(at: 1))
                guard let target = tables.first(where: { isSame($0.name, other) }) else { return }
                let to = row.isNull(at: 3) ? target.key[0] : row.text(at: 3)
                guard target.key.count == 1, isSame(target.key[0], to) else { return }
                references.append(
                    Reference(
                        name: name, table: tables.first { $0.name == name }, column: row.text(at: 2), target: target,
                        targetColumn: target.key[0]))
            }
            return references
        }
    }

    /// Keeps rows for the sake of a reference; false if there are none.
    private func keepRows(_ reference: Reference) throws -> Bool {
        let target = reference.target
        var isStaying: SQLFragment = ""
        if let table = reference.table {
            isStaying = """
                 AND NOT EXISTS (SELECT 1 FROM temp.\(plan(table)) AS q
                WHERE \(table.hasSameKey("q", "s")) AND q."_reason" IS NULL)
                """
        }
        // A row that stays, or that is edited, may refer to a row that the run has made.
        try connection.execute(
            """
            UPDATE temp.\(plan(target)) AS p SET "_reason" = 'other rows refer to it'
            WHERE p."_kind" = 'i' AND p."_reason" IS NULL AND EXISTS (
                SELECT 1 FROM \(identifier: reference.name) AS s
                WHERE s.\(identifier: reference.column) = p.\(identifier: reference.targetColumn)\(isStaying))
            """)
        let count = connection.changeCount
        guard let table = reference.table else { return count > 0 }
        return try keepDangling(reference, table) || count > 0
    }

    /// Keeps rows that would refer to missing ones; false if there are none.
    private func keepDangling(_ reference: Reference, _ table: RecordedTable) throws -> Bool {
        let target = reference.target
        let isKey = table.key.contains(reference.column)
        let earlier: SQLFragment =
            isKey ? "c.\(identifier: reference.column)" : "c." + table.old(reference.column)
        try connection.execute(
            """
            UPDATE temp.\(plan(table)) AS p SET "_reason" = 'it would refer to a missing row'
            WHERE p."_kind" IN ('u', 'd') AND p."_reason" IS NULL AND EXISTS (
                SELECT 1 FROM \(identifier: table.changes) AS c
                WHERE c."_run" = \(run) AND \(table.hasSameKey("c", "p")) AND \(earlier) IS NOT NULL
                AND NOT EXISTS (SELECT 1 FROM \(identifier: target.name) AS t
                    WHERE t.\(identifier: reference.targetColumn) = \(earlier))
                AND NOT EXISTS (SELECT 1 FROM temp.\(plan(target)) AS q
                    WHERE q.\(identifier: reference.targetColumn) = \(earlier) AND q."_kind" = 'd'
                    AND q."_reason" IS NULL))
            """)
        return connection.changeCount > 0
    }

    private func outcome() throws -> Outcome {
        var outcome = Outcome()
        for table in tables {
            try connection.forEachRow(
                of: """
                    SELECT "_kind", COUNT(*) FROM temp.\(plan(table)) WHERE "_reason" IS NULL GROUP BY "_kind"
                    """
            ) { row in
                let count = Int(row.integer(at: 1))
                switch row.text(at: 0) {
                case "i": outcome.deleted[table.name] = count
                case "u": outcome.restored[table.name] = count
                default: outcome.inserted[table.name] = count
                }
            }
            let keys = RecordedTable.list(table.key, of: "p")
            try connection.forEachRow(
                of: """
                    SELECT p."_reason", \(keys) FROM temp.\(plan(table)) AS p
                    WHERE p."_reason" IS NOT NULL AND p."_reason" <> \(RunUndo.gone) ORDER BY \(keys)
                    """
            ) { row in
                outcome.keptCount += 1
                guard outcome.kept.count < RunUndo.listed else { return }
                outcome.kept.append(
                    KeptRow(
                        table: table.name, key: table.key.indices.map { row.value(at: $0 + 1) },
                        reason: row.text(at: 0)))
            }
        }
        return outcome
    }
}
