import TributarySQLite

/// Writing the rows of a plan: in a few statements for each table, or if it has triggers, row by row.
extension RunUndo {
    func delete(_ table: RecordedTable) throws {
        let keys = table.key.map { name -> SQLFragment in "\(identifier: name)" }
        let statement: SQLFragment = """
            DELETE FROM \(identifier: table.name) WHERE (\(keys)) IN (SELECT \(keys) FROM temp.\(plan(table)) AS p WHERE
            """
        if table.hasTriggers { return try writeEach(table, "'i'") { statement + $0 + ")" } }
        try connection.execute(statement + RunUndo.planned("'i'") + ")")
    }

    func restore(_ table: RecordedTable) throws {
        let statement = restoring(table, table.columns)
        guard table.hasTriggers else {
            guard !table.columns.isEmpty else { return }
            // A row may wait for another one to give its unique values back.
            repeat {
                try connection.execute("UPDATE OR IGNORE " + statement + RunUndo.planned("'u'"))
            } while connection.changeCount > 0
            return
        }
        try connection.execute(
            "UPDATE temp.\(plan(table)) AS p SET \"_isDone\" = 1 WHERE p.\"_kind\" = 'u' AND \(isAsBefore(table))")
        // Triggers follow what their statement does about conflicts, so it says so only if the table does.
        let verb: SQLFragment = table.hasConflictClause ? "UPDATE OR ABORT " : "UPDATE "
        try writeEach(table, "'u'") { verb + statement + $0 }
    }

    func insert(_ table: RecordedTable) throws {
        let names = (table.key + table.columns).map { name -> SQLFragment in "\(identifier: name)" }
        let values =
            table.key.map { name -> SQLFragment in "c.\(identifier: name)" }
            + table.columns.map { "c." + table.old($0) }
        let statement: SQLFragment = """
            INTO \(identifier: table.name) (\(names)) SELECT \(values)
            FROM temp.\(plan(table)) AS p JOIN \(identifier: table.changes) AS c
            ON c."_run" = \(run) AND \(table.hasSameKey("c", "p")) WHERE
            """
        let verb: SQLFragment = table.hasConflictClause ? "INSERT OR ABORT " : "INSERT "
        if table.hasTriggers { return try writeEach(table, "'d'") { verb + statement + $0 } }
        try connection.execute("INSERT OR IGNORE " + statement + RunUndo.planned("'d'"))
    }

    /// The condition that a row of a plan is written.
    private static func planned(_ kind: SQLFragment) -> SQLFragment {
        " p.\"_kind\" = " + kind + " AND p.\"_reason\" IS NULL"
    }

    /// The parts of a statement that gives rows their earlier values in some columns, up to the condition for the plan.
    private func restoring(_ table: RecordedTable, _ columns: [String]) -> SQLFragment {
        var sets = columns.map { name -> SQLFragment in "\(identifier: name) = c." + table.old(name) }
        if table.hasVersion { sets.append("\"_version\" = t.\"_version\" + 1") }
        return """
            \(identifier: table.name) AS t SET \(sets) FROM \(identifier: table.changes) AS c, temp.\(plan(table)) AS p
            WHERE c."_run" = \(run) AND \(table.hasSameKey("c", "p")) AND \(table.hasSameKey("t", "p"))
            AND \(table.differs(from: table.old, in: columns)) AND
            """
    }

    /// The condition that the row of a plan `p` has its values from before the run.
    private func isAsBefore(_ table: RecordedTable) -> SQLFragment {
        """
        EXISTS (SELECT 1 FROM \(identifier: table.changes) AS c JOIN \(identifier: table.name) AS t
        ON \(table.hasSameKey("t", "c"))
        WHERE c."_run" = \(run) AND \(table.hasSameKey("c", "p")) AND NOT \(table.differs(from: table.old)))
        """
    }

    // MARK: Triggers

    /// Writes planned rows of a table with triggers one after the other, each once, whatever the triggers change.
    private func writeEach(
        _ table: RecordedTable, _ kind: SQLFragment, _ statement: (SQLFragment) -> SQLFragment
    ) throws {
        let planned = RunUndo.planned(kind)
        // A row may wait for another one to give its unique values back.
        var isChanged = true
        while isChanged {
            isChanged = false
            var last: Int64 = 0
            while let number = try connection.integer(
                of: """
                    SELECT p."_number" FROM temp.\(plan(table)) AS p WHERE p."_number" > \(last) AND NOT p."_isDone" AND
                    """ + planned + " ORDER BY 1 LIMIT 1")
            {
                last = number
                var failure: SQLValue = .text("a trigger keeps it as it is")
                do {
                    try connection.transaction {
                        try connection.execute(statement(" p.\"_number\" = \(number)"))
                        if connection.changeCount > 0 { failure = .null }
                    }
                } catch let error as SQLiteError where error.isRefusal {
                    guard connection.isInTransaction else {
                        throw connection.rolledBack(byTriggerOf: table.name, error)
                    }
                    failure = .text(error.isUniqueViolation ? RunUndo.taken : error.message)
                }
                if failure == .null { isChanged = true }
                try connection.execute(
                    """
                    UPDATE temp.\(plan(table)) SET "_isDone" = \(failure == .null ? 1 : 0), "_failure" = \(failure)
                    WHERE "_number" = \(number)
                    """)
            }
        }
    }

    /// Gives rows the values back that triggers have changed again, unless other triggers use the column, as for an
    /// index: then it keeps what the triggers made of it.
    func restoreSilently(_ table: RecordedTable) throws {
        let columns = try table.columns.filter { column in
            let users = try connection.value(
                of: """
                    SELECT COUNT(*) FROM sqlite_master WHERE "type" = 'trigger' AND "tbl_name" = \(table.name) COLLATE NOCASE
                    AND instr(replace(lower("sql"), '""', '"'), lower(\(column))) > 0
                    """)
            return users == .integer(0) || users == .integer(1)
        }
        guard !columns.isEmpty else { return }
        connection.setUsesSchemaCode(false)
        defer { connection.setUsesSchemaCode(true) }
        try connection.execute(
            "UPDATE OR IGNORE " + restoring(table, columns) + " p.\"_isDone\" AND p.\"_kind\" <> 'i'")
    }

    /// Keeps rows that a uniqueness constraint or a trigger has refused.
    func keepRefused(_ table: RecordedTable) throws {
        let isRefused: SQLFragment =
            table.hasTriggers ? "NOT p.\"_isDone\"" : "p.\"_kind\" IN ('u', 'd') AND NOT " + isAsBefore(table)
        try connection.execute(
            """
            UPDATE temp.\(plan(table)) AS p SET "_reason" = coalesce(p."_failure", \(RunUndo.taken))
            WHERE p."_reason" IS NULL AND \(isRefused)
            """)
    }
}
