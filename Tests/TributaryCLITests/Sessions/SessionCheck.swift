import Foundation
import TributaryPostgres
import TributarySQLite
import TributaryTestSupport

/// Reads the database of a session, and compares it with the oracle.
struct SessionCheck {
    let session: Session
    let place: SessionPlace
    /// The version of the model.
    var version = 1
    /// What belongs to the other program: its schema, settings and other tables.
    private var belongings: [String] = []

    init(_ session: Session, _ place: SessionPlace) { (self.session, self.place) = (session, place) }

    private var hasFile: Bool { !session.isPostgres && FileManager.default.fileExists(atPath: place.database) }

    // MARK: Another program

    private func open() throws -> Connection {
        let connection = try Connection(.file(place.database))
        connection.setUsesSchemaCode(true)
        return connection
    }

    func execute(_ statements: [String]) throws {
        let connection = try open()
        for statement in statements { try connection.execute(SQLFragment(trusted: statement)) }
    }

    /// Whether there is a table with a column.
    func hasTable(_ name: String, with column: String) throws -> Bool {
        try hasFile && open().hasRows("SELECT 1 FROM pragma_table_info(\(name)) WHERE name = \(column)")
    }

    func edit(_ table: Int, _ row: SessionOracle.Row, _ value: SessionValue) throws {
        let definition = session.definitions[table]
        var conditions: SQLFragment = "1"
        let connection = try open()
        let columns = try connection.rows(of: "SELECT name FROM pragma_table_info(\(definition.name))")
        for case .text(let name)? in columns.map(\.first) where !name.hasPrefix("_") {
            guard definition.key.isEmpty || definition.key.contains(name) else { continue }
            conditions += " AND \(identifier: name) IS \((row.values[name] ?? .null).cell)"
        }
        let key: SQLFragment = definition.isForeign ? "\(identifier: definition.key[0])" : "_pk"
        try connection.execute(
            """
            UPDATE \(identifier: definition.name) SET name = \(value.cell) WHERE \(key) IN
            (SELECT \(key) FROM \(identifier: definition.name) WHERE \(conditions) ORDER BY \(key) DESC LIMIT 1)
            """)
    }

    /// The runs that have kept what they have changed.
    func undoableRuns() throws -> Set<Int> {
        guard hasFile else { return [] }
        let runs = try open().rows(of: "SELECT run FROM _run WHERE json_extract(payload, '$.keepsChanges')")
        return Set(runs.compactMap { if case .integer(let run)? = $0.first { Int(run) } else { nil } })
    }

    /// Remembers what commands must leave alone.
    mutating func remember() throws { belongings = try currentBelongings() }

    private func currentBelongings() throws -> [String] {
        guard hasFile else { return [] }
        let connection = try open()
        var found: [String] = []
        for pragma in ["user_version", "application_id", "journal_mode", "auto_vacuum", "page_size", "encoding"] {
            found.append("\(pragma) \(try connection.rows(of: SQLFragment(trusted: "PRAGMA \(pragma)")))")
        }
        let own = Set(session.definitions.filter { !$0.isForeign }.map(\.name))
        let growing = Set(session.definitions.filter { $0.shape == .growing }.map(\.name))
        try connection.forEachRow(of: "SELECT type, name, tbl_name, sql FROM sqlite_master ORDER BY 1, 2") { row in
            let (type, name, table) = (row.text(at: 0), row.text(at: 1), row.text(at: 2))
            if name.hasPrefix("sqlite_sequence") || SessionCheck.isOfIndex(name) { return }
            if type != "trigger", name.hasPrefix("_") || own.contains(table) || table.hasPrefix("_") { return }
            found.append("\(type) \(name)" + (growing.contains(name) ? "" : " \(row.value(at: 3))"))
        }
        if !session.statements.isEmpty {
            found.append("\(try connection.rows(of: "SELECT * FROM bystander"))")
            found.append(
                "\(try connection.rows(of: "SELECT * FROM sqlite_sequence WHERE name NOT LIKE '\\_%' ESCAPE '\\'"))")
        }
        return found
    }

    /// Whether a name is that of a full-text index that a command makes, or of a part of it.
    private static func isOfIndex(_ name: String) -> Bool {
        name.contains("_fts") || ["_ai", "_ad", "_au"].contains(where: name.hasSuffix)
    }

    // MARK: Comparing

    /// Compares the whole database, and the files beside it.
    func callAsFunction(_ oracle: SessionOracle) throws {
        if session.isPostgres { return try checkServer(oracle) }
        guard hasFile else {
            if oracle.runs.isEmpty || oracle.tables.allSatisfy(\.rows.isEmpty) { return }
            throw SessionDifference("there is no database")
        }
        let found = try currentBelongings()
        if !belongings.isEmpty, found != belongings {
            let (new, gone) = (
                found.filter { !belongings.contains($0) }, belongings.filter { !found.contains($0) }
            )
            throw SessionDifference("belongings of the other program: now \(new), before \(gone)")
        }
        try checkFile(oracle)
        try checkFolder()
    }

    /// The rows of the tables of a database.
    func tables(of path: String) throws -> [String: [[String: SQLValue]]] {
        let connection = try Connection(.file(path))
        connection.setUsesSchemaCode(true)
        var tables: [String: [[String: SQLValue]]] = [:]
        for definition in session.definitions
        where try connection.hasRows("SELECT 1 FROM sqlite_master WHERE name = \(definition.name)") {
            tables[definition.name] = try rows(definition, connection)
        }
        return tables
    }

    private func checkFile(_ oracle: SessionOracle) throws {
        let connection = try open()
        for (number, definition) in session.definitions.enumerated() {
            let rows = try rows(definition, connection)
            try compare(rows, oracle.tables[number], definition)
            if oracle.tables[number].isAudited { try checkAudit(oracle.tables[number], definition, connection) }
        }
        try checkIndexes(connection)
        for pragma in ["integrity_check", "foreign_key_check"] {
            let rows = try connection.rows(of: SQLFragment(trusted: "PRAGMA \(pragma)"))
            guard rows.isEmpty || rows == [["ok"]] else { throw SessionDifference("\(pragma): \(rows)") }
        }
    }

    /// Each full-text index has the words of its table, and its triggers.
    private func checkIndexes(_ connection: Connection) throws {
        let names = try connection.rows(of: "SELECT name FROM pragma_table_list WHERE type = 'virtual'")
        for case .text(let name)? in names.map(\.first) where SessionCheck.isOfIndex(name) {
            do {
                try connection.execute(
                    "INSERT INTO \(identifier: name) (\(identifier: name), rank) VALUES ('integrity-check', 1)")
            } catch { throw SessionDifference("the index \(name) is wrong: \(error)") }
            let triggers = try connection.rows(
                of: "SELECT name FROM sqlite_master WHERE type = 'trigger' AND instr(sql, \(name)) > 0")
            guard triggers.count == 3 else { throw SessionDifference("the index \(name) has triggers \(triggers)") }
        }
    }

    /// A command leaves no file beside the database but those that it was told to write.
    private func checkFolder() throws {
        let known = Set(
            [
                "db.sqlite", "db.sqlite-ids", "rejects.ndjson", "changes.ndjson", "v1.xml", "v2.xml", "a.seed.json",
                "profile.json",
            ])
        let feeds = session.steps.compactMap { if case .load(let load) = $0 { load.feed.fileName } else { nil } }
        let files = Set(try FileManager.default.contentsOfDirectory(atPath: place.folder))
        let others = files.subtracting(known).subtracting(feeds)
        guard others.isEmpty else { throw SessionDifference("files: \(others.sorted())") }
    }

    private func compare(
        _ found: [[String: SQLValue]], _ table: SessionOracle.Table, _ definition: SessionTable
    ) throws {
        var wanted = table.rows.map { row in
            var values = row.values.mapValues(\.cell).filter { $0.value != .null }
            if case .related(_, let many) = definition.shape, values[many] == nil { values[many] = .text("[]") }
            if definition.hasTriggers { values["touched"] = row.touched.map { .integer(Int64($0)) } }
            return values
        }
        for row in found {
            let position = wanted.firstIndex { row == $0 || row.filter { $0.key != "touched" } == $0 }
            guard let position else {
                throw SessionDifference("row of \(definition.name): \(row), expected one of \(wanted)")
            }
            wanted.remove(at: position)
        }
        guard wanted.isEmpty else { throw SessionDifference("rows missing in \(definition.name): \(wanted)") }
    }

    /// The rows of a table, without columns of the library and of triggers, and without nulls.
    private func rows(_ definition: SessionTable, _ connection: Connection) throws -> [[String: SQLValue]] {
        guard try connection.hasRows("SELECT 1 FROM sqlite_master WHERE name = \(definition.name)") else { return [] }
        var found: [[String: SQLValue]] = []
        try connection.forEachRow(of: query(definition, connection)) { row in
            var values: [String: SQLValue] = [:]
            var doubled: SQLValue?
            for index in 0..<row.columnCount {
                let (name, value) = (row.columnName(at: index), SessionValue.cell(row.value(at: index)))
                if name == "doubled" {
                    doubled = value
                } else if value != .null, !name.hasPrefix("_") {
                    values[canonical(name)] = value
                }
            }
            let twice =
                if case .integer(let count)? = values["count"] { SQLValue.integer(count * 2) } else { SQLValue.null }
            if let doubled, doubled != twice {
                throw SessionDifference("row of \(definition.name): \(values), and doubled \(doubled)")
            }
            if case .text? = values["gone"] { values["gone"] = .text("deleted") }
            if case .related(_, let many) = definition.shape, values[many] == nil { values[many] = .text("[]") }
            found.append(values)
        }
        return found
    }

    /// The name of a column in the oracle.
    private func canonical(_ name: String) -> String { name == "label" ? "name" : name }

    /// Reads the rows of a table with the keys of those that they refer to.
    private func query(_ definition: SessionTable, _ connection: Connection) throws -> SQLFragment {
        guard case .related(let one, let many) = definition.shape else {
            return "SELECT * FROM \(identifier: definition.name)"
        }
        return SQLFragment(
            trusted: """
                SELECT f.id, f.name, (SELECT o.id FROM "\(one)" o WHERE o._pk = f."\(one)") AS "\(one)",
                (SELECT json_group_array(id) FROM (SELECT m.id FROM "\(many)" m JOIN "_\(many).\(definition.name)" j
                ON j._source = m._pk WHERE j._target = f._pk ORDER BY j._sourceOrder)) AS "\(many)"
                FROM "\(definition.name)" f
                """)
    }

    private func checkAudit(
        _ table: SessionOracle.Table, _ definition: SessionTable, _ connection: Connection
    ) throws {
        if definition.hasTriggers {
            do {
                try connection.execute("INSERT INTO search (search, rank) VALUES ('integrity-check', 1)")
            } catch { throw SessionDifference("the index of items is wrong: \(error)") }
        }
        let audit = "audit_\(definition.name)"
        let rows = try connection.rows(of: "SELECT what, id, name FROM \(identifier: audit) ORDER BY number")
        let found = rows.map { "\($0)" }
        let expected = table.audit.map { "\([.text($0.what), $0.id.cell, $0.name.cell] as [SQLValue])" }
        // Rows of one deletion or undo come in any order.
        guard found.sorted() == expected.sorted() else {
            throw SessionDifference("the audit of \(definition.name) is \(found), expected \(expected)")
        }
    }

    /// Compares changes that a command shows or writes with those that the oracle knows.
    func compare(
        _ shown: [[String: Any]], with expected: [SessionExpectation.Change], limit: Int, _ hidden: Int,
        _ told: String
    ) throws {
        var left = expected
        for change in shown {
            let kind = change["change"] as? String ?? ""
            let key = cells(change["key"])
            // A table of another program has no key besides that of its rows.
            let (old, new) = (
                cells(change["old"]).filter { key[$0.key] == nil }, cells(change["new"]).filter { key[$0.key] == nil }
            )
            // A trigger may have changed a row whose values are those before the run.
            if kind == "updated", old.isEmpty, new.isEmpty { continue }
            let position = left.firstIndex {
                $0.kind == kind && $0.table == change["table"] as? String
                    && $0.key.allSatisfy { key[$0.key] == $0.value }
                    && (kind == "inserted" || $0.old.filter { $0.value != .null || kind == "updated" } == old)
                    && (kind == "deleted" || $0.new.filter { $0.value != .null || kind == "updated" } == new)
            }
            guard let position else { throw SessionDifference("change \(change), expected one of \(left): \(told)") }
            left.remove(at: position)
        }
        for kind in ["inserted", "updated", "deleted"] {
            let (found, all) = (
                expected.count { $0.kind == kind } - left.count { $0.kind == kind }, expected.count { $0.kind == kind }
            )
            guard found <= min(all, limit), found + min(hidden, limit) >= min(all, limit) else {
                throw SessionDifference("changes: \(found) \(kind), expected \(min(all, limit)): \(told)")
            }
        }
    }

    /// The values of a JSON object as columns hold them.
    private func cells(_ object: Any?) -> [String: SQLValue] {
        var cells: [String: SQLValue] = [:]
        for (name, value) in object as? [String: Any] ?? [:]
        where !name.hasPrefix("_") && !["touched", "doubled"].contains(name) {
            let cell = SessionValue(any: value).cell
            cells[canonical(name)] = name == "gone" && cell != .null ? .text("deleted") : cell
        }
        return cells
    }

    // MARK: PostgreSQL

    private func checkServer(_ oracle: SessionOracle) throws {
        let connection = try PostgresConnection(PostgresAddress(place.database), role: "tests")
        for (number, definition) in session.definitions.enumerated() {
            var found: [[String: SQLValue]] = []
            let name = definition.name
            let tables = try connection.execute(
                "SELECT 1 FROM pg_tables WHERE schemaname = current_schema() AND tablename = $1", [.text(name)])
            if tables.rowCount > 0 {
                let rows = try connection.execute("SELECT row_to_json(t)::text FROM \(name: name) t")
                found = try (0..<rows.rowCount).map { row in
                    let data = Data((rows.text(row, 0) ?? "{}").utf8)
                    return cells(try JSONSerialization.jsonObject(with: data)).filter { $0.value != .null }
                }
            }
            try compare(found, oracle.tables[number], definition)
        }
    }
}

extension SessionValue {
    /// A value of `JSONSerialization`.
    init(any value: Any) {
        switch value {
        case let text as String: self = .text(text)
        case let list as [Any]: self = .list(list.map { SessionValue(any: $0) })
        case let object as [String: Any]: self = .object(object.mapValues { SessionValue(any: $0) })
        case let number as NSNumber:
            self = Int64(exactly: number.doubleValue) == nil ? .real(number.doubleValue) : .integer(number.int64Value)
        default: self = .null
        }
    }
}
