package import TributarySQLite

/// Keeps what a run changes: triggers of its connection write the old and new values of each row into a table of
/// changes, in the transaction of the run, whichever part of the program changes the row.
package final class ChangeRecorder {
    /// A table, and the columns that identify a row if it has no primary key.
    package typealias Table = (name: String, key: [String]?)

    private let run: Int
    private let names: [Table]
    /// The most rows of each kind to keep; nil for all.
    private let limit: Int?
    private var tables: [RecordedTable] = []
    /// For each table of objects the primary key last assigned before the run.
    private var lastKeys: [String: Int64] = [:]

    /// Whether a table whose changes cannot be kept is an error.
    private let isStrict: Bool

    /// Keeps the changes of a run in some tables, or if `limit` is not nil, a sample of its changes and deletions.
    ///
    /// A table whose changes cannot be kept is an error, also for a sample if `isStrict`.
    package init(run: Int, tables: [Table], limit: Int? = nil, isStrict: Bool = false) {
        (self.run, names, self.limit, self.isStrict) = (run, tables, limit, limit == nil || isStrict)
    }

    /// Runs `body`, in a transaction of `connection`, and keeps what it changes.
    package func record<Result>(on connection: Connection, _ body: () throws -> Result) throws -> Result {
        try refresh(on: connection)
        try connection.execute("INSERT INTO temp.\"_recording\" (\"run\") VALUES (\(run))")
        let result = try body()
        try connection.execute("DELETE FROM temp.\"_recording\"")
        return result
    }

    /// Follows changes of the tables themselves, as new columns.
    package func refresh(on connection: Connection) throws {
        // A transaction that was rolled back has taken its triggers with it.
        let isReady = try connection.hasRows("SELECT 1 FROM sqlite_temp_master WHERE \"name\" = '_recording'")
        if !isReady {
            try connection.execute("CREATE TEMP TABLE \"_recording\" (\"run\" INTEGER NOT NULL)")
            tables = []
        }
        let current = try names.compactMap { name, key in
            do {
                return try RecordedTable(name, key: key, on: connection)
            } catch is StoreError where !isStrict {
                // A table whose changes cannot be kept has no sample.
                return nil
            }
        }
        if !isReady, isStrict { try refuseReplacing(current, on: connection) }
        guard current != tables else { return }
        for table in current where !tables.contains(table) {
            if limit != nil, lastKeys[table.name] == nil, table.key == ["_pk"] {
                let last = try connection.integer(
                    of: "SELECT \"last\" FROM \(identifier: Schema.counters) WHERE \"entity\" = \(table.name)")
                lastKeys[table.name] = last ?? 0
            }
            try table.createChanges(on: connection)
            try createTriggers(of: table, on: connection)
        }
        tables = current
    }

    /// Removes the triggers.
    package func end(on connection: Connection) throws {
        for table in tables {
            for kind in Kind.allCases { try connection.execute("DROP TRIGGER IF EXISTS temp.\(trigger(kind, table))") }
            // A transaction that was rolled back has taken its tables with it.
            guard try TableRows.isEmpty(table.changes, on: connection) else { continue }
            try connection.execute("DROP TABLE IF EXISTS \(identifier: table.changes)")
        }
        try connection.execute("DROP TABLE IF EXISTS temp.\"_recording\"")
        tables = []
    }

    /// Throws if a trigger of another program may replace rows: SQLite deletes these without a trigger, unless triggers
    /// may cause themselves, which those that change their own table do not end then.
    private func refuseReplacing(_ tables: [RecordedTable], on connection: Connection) throws {
        func words(_ text: String) -> [Substring] {
            text.uppercased().split { !$0.isLetter && !$0.isNumber && $0 != "_" }
        }
        let names = tables.map { words($0.name) }
        try connection.forEachRow(of: "SELECT \"name\", \"sql\" FROM sqlite_master WHERE \"type\" = 'trigger'") { row in
            let words = words(row.text(at: 1))
            for (index, word) in words.enumerated() where word == "REPLACE" && index > 0 {
                let rest = words[(index + 1)...]
                let table = rest.drop { $0 == "INTO" || $0 == "MAIN" }
                guard words[index - 1] == "OR" || rest.first == "INTO",
                    names.contains(where: { table.starts(with: $0) })
                else { continue }
                throw StoreError(
                    .foreign, connection.name,
                    "the trigger \(row.text(at: 0)) may replace rows of a table whose changes are kept",
                    hint: "use INSERT … ON CONFLICT DO UPDATE in the trigger, or import without --undoable")
            }
        }
    }

    // MARK: Triggers

    private enum Kind: String, CaseIterable {
        case insert, update, delete
    }

    private func trigger(_ kind: Kind, _ table: RecordedTable) -> SQLFragment {
        "\(identifier: "_change \(kind.rawValue) \(table.name)")"
    }

    private func createTriggers(of table: RecordedTable, on connection: Connection) throws {
        let (columns, keys) = (table.columns, table.key.map { name -> SQLFragment in "\(identifier: name)" })
        for kind in Kind.allCases {
            let name = trigger(kind, table)
            try connection.execute("DROP TRIGGER IF EXISTS temp.\(name)")
            if limit != nil, kind == .insert { continue }
            let source: SQLFragment =
                "AFTER \(SQLFragment(trusted: kind.rawValue.uppercased())) ON main.\(identifier: table.name)"
            let letter = SQLFragment(trusted: "'\(kind.rawValue.prefix(1))'")
            let (before, after) = (kind == .insert ? [] : columns, kind == .delete ? [] : columns)
            let new = after.map(table.new)
            var changes = new.map { $0 + " = excluded." + $0 }
            switch kind {
            case .insert: changes.insert("\"_kind\" = CASE \"_kind\" WHEN 'd' THEN 'u' ELSE 'i' END", at: 0)
            case .update: break
            case .delete: changes = ["\"_kind\" = CASE \"_kind\" WHEN 'i' THEN 'x' WHEN 'x' THEN 'x' ELSE 'd' END"]
            }
            let row: SQLFragment = kind == .delete ? "OLD" : "NEW"
            let all: [SQLFragment] = ["\"_run\"", "\"_kind\""] + keys + before.map(table.old) + new
            let kept =
                ["\"run\"", letter] + table.key.map { column(row, $0) } + before.map { column("OLD", $0) }
                + after.map { column("NEW", $0) }
            let conflict: SQLFragment = changes.isEmpty ? "NOTHING" : "UPDATE SET \(changes)"
            try connection.execute(
                """
                CREATE TEMP TRIGGER \(name) \(source) WHEN EXISTS (SELECT 1 FROM "_recording")\(isWanted(table, letter))
                BEGIN INSERT INTO \(identifier: table.changes) (\(all)) SELECT \(kept) FROM "_recording" WHERE 1
                ON CONFLICT ("_run", \(keys)) DO \(conflict); END
                """)
        }
    }

    private func column(_ row: SQLFragment, _ name: String) -> SQLFragment { row + ".\(identifier: name)" }

    /// The condition of a sample: rows that were there before the run, until there are enough, and those again.
    private func isWanted(_ table: RecordedTable, _ letter: SQLFragment) -> SQLFragment {
        guard let limit else { return "" }
        let number = SQLFragment(trusted: "\(limit)")
        let isEarlier: SQLFragment =
            lastKeys[table.name].map { " AND OLD.\"_pk\" <= " + SQLFragment(trusted: "\($0)") } ?? ""
        // The changes of the run are a prefix of the key, and no more than the sample.
        let run = SQLFragment(trusted: "\(run)")
        let ofRun: SQLFragment = " FROM \(identifier: table.changes) AS c WHERE \"_run\" = \(run)"
        return isEarlier + " AND ((SELECT COUNT(*)" + ofRun + " AND \"_kind\" = \(letter)) < \(number)"
            + " OR EXISTS (SELECT 1" + ofRun + " AND " + table.hasSameKey("c", "OLD") + "))"
    }
}
