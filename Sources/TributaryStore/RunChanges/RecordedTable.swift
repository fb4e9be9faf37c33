import TributarySQLite

/// A table whose changes a run keeps, in a table of its own.
///
///     "_change.Book"   _run | _pk | _kind | old.title | new.title | …
///
/// `_kind` is `i` for an inserted row, `u` for a changed one, `d` for a deleted one, and `x` for a row that the run has
/// both inserted and deleted.
struct RecordedTable: Sendable, Equatable {
    /// The name of the table.
    let name: String
    /// The columns that identify a row.
    let key: [String]
    /// The declared types of these columns, without which SQLite could not use an index to find a row.
    let keyTypes: [String]
    /// The other columns with values of their own.
    let columns: [String]
    /// Whether a column counts the changes of a row.
    let hasVersion: Bool
    /// Whether the table has triggers.
    var hasTriggers = false
    /// Whether a constraint of the table says what happens to rows that violate it, as by `ON CONFLICT REPLACE`.
    private(set) var hasConflictClause = false

    private static let prefix = "_change."
    /// The most columns of a table whose changes can be kept: SQLite allows 2,000 columns.
    private static let mostColumns = 990

    /// The name of the table with its changes.
    var changes: String { RecordedTable.changes(of: name) }

    /// The name of the table with the changes of a table.
    static func changes(of name: String) -> String { prefix + name }

    /// Reads the columns of a table, whose rows `known` identifies if it has no primary key; nil if there is no table.
    init?(_ name: String, key known: [String]? = nil, on connection: Connection) throws {
        self.name = name
        let all = try connection.rows(
            of: "SELECT \"name\", \"pk\", \"type\" FROM pragma_table_xinfo(\(name)) WHERE \"hidden\" = 0"
        ) { (name: $0.text(at: 0), position: $0.integer(at: 1), type: $0.text(at: 2)) }
        guard !all.isEmpty else { return nil }
        let names = all.map(\.name)
        let primary = all.filter { $0.position > 0 }.sorted { $0.position < $1.position }.map(\.name)
        let key = primary.isEmpty ? known ?? [] : primary
        guard !key.isEmpty else {
            throw StoreError(
                .foreign, connection.name, "nothing identifies a row of \(name), so its changes cannot be undone",
                hint: "name a key, or import without --undoable")
        }
        hasVersion = names.contains("_version")
        columns = names.filter { !key.contains($0) && $0 != "_version" }
        self.key = key
        keyTypes = key.map { part in all.first { $0.name == part }?.type ?? "" }
        guard names.count <= RecordedTable.mostColumns else {
            throw StoreError(
                .foreign, connection.name,
                "\(name) has \(names.count) columns, and changes can be kept of at most \(RecordedTable.mostColumns)",
                hint: "import without --undoable")
        }
    }

    /// The tables of which changes are kept.
    static func all(on connection: Connection) throws -> [RecordedTable] {
        try names(on: connection).map { try RecordedTable(changesOf: $0, on: connection) }
    }

    /// The names of the tables of which changes are kept, also of those that do not exist any more.
    static func names(on connection: Connection) throws -> [String] {
        try connection.rows(
            of: """
                SELECT "name" FROM sqlite_master WHERE "type" = 'table' AND "name" GLOB '_change.*' ORDER BY "name"
                """
        ) { String($0.text(at: 0).dropFirst(prefix.count)) }
    }

    /// Reads the columns of which changes are kept.
    private init(changesOf name: String, on connection: Connection) throws {
        var (key, columns): ([String], [String]) = ([], [])
        try connection.forEachRow(
            of: """
                SELECT "name", "pk" FROM pragma_table_xinfo(\(RecordedTable.prefix + name)) ORDER BY "pk", "cid"
                """
        ) { row in
            let column = row.text(at: 0)
            if column.hasPrefix("old.") { columns.append(String(column.dropFirst("old.".count))) }
            if row.integer(at: 1) > 0, column != "_run" { key.append(column) }
        }
        let types = try connection.rows(of: "SELECT \"name\", \"type\" FROM pragma_table_xinfo(\(name))") {
            ($0.text(at: 0), $0.text(at: 1))
        }
        let existing = Dictionary(types) { $1 }
        if let missing = (key + columns).first(where: { existing[$0] == nil }) {
            throw StoreError(
                .foreign, connection.name,
                existing.isEmpty
                    ? "the table \(name) was dropped or renamed since its changes were kept"
                    : "\(name) has lost the column \(missing) since its changes were kept",
                hint: "give it the earlier name again, or forget the run")
        }
        (self.name, self.key, self.columns, hasVersion) = (name, key, columns, existing["_version"] != nil)
        hasTriggers = try connection.tablesWithTriggers().contains(name)
        hasConflictClause = try connection.hasRows(
            "SELECT 1 FROM sqlite_master WHERE \"name\" = \(name) COLLATE NOCASE AND instr(upper(\"sql\"), 'CONFLICT') > 0"
        )
        keyTypes = key.map { existing[$0] ?? "" }
    }

    // MARK: Parts of statements

    /// The name of a column with the values before the run.
    func old(_ column: String) -> SQLFragment { "\(identifier: "old." + column)" }
    /// The name of a column with the values after the run.
    func new(_ column: String) -> SQLFragment { "\(identifier: "new." + column)" }

    /// Columns, each of a row with this alias.
    static func list(_ columns: [String], of alias: SQLFragment) -> SQLFragment {
        columns.map { name -> SQLFragment in alias + ".\(identifier: name)" }.joined()
    }

    /// The columns of the key with types of the same affinity, for a table of keys.
    var keyDefinitions: [SQLFragment] {
        zip(key, keyTypes).map { name, type in
            let affinity: SQLFragment =
                switch ForeignTable.Affinity(type, isStrict: false) {
                case .integer: " INTEGER"
                case .real: " REAL"
                case .text: " TEXT"
                case .numeric: " NUMERIC"
                case .none: ""
                }
            return "\(identifier: name)" + affinity
        }
    }

    /// Whether two rows have the same key.
    func hasSameKey(_ one: SQLFragment, _ other: SQLFragment) -> SQLFragment {
        key.map { name -> SQLFragment in one + ".\(identifier: name) = " + other + ".\(identifier: name)" }
            .joined(separator: " AND ")
    }

    /// Whether a row of the table `t` differs from the values before or after the run in the changes `c`, in all columns
    /// or in some.
    func differs(from values: (String) -> SQLFragment, in some: [String]? = nil) -> SQLFragment {
        let columns = some ?? columns
        guard !columns.isEmpty else { return "0" }
        let stored = columns.map { name -> SQLFragment in "t.\(identifier: name)" }
        let kept = columns.map { name -> SQLFragment in "c." + values(name) }
        return columns.count == 1 ? stored[0] + " IS NOT " + kept[0] : "(\(stored)) IS NOT (\(kept))"
    }

    // MARK: The table of changes

    /// Creates the table of changes, or adds the columns that it lacks.
    func createChanges(on connection: Connection) throws {
        let keys = key.map { name -> SQLFragment in "\(identifier: name)" }
        let existing = Set(try connection.columns(of: changes))
        let values = columns.flatMap { [old($0), new($0)] }
        guard !existing.isEmpty else {
            // SQLite 3.40 takes the table for damaged if a column that is not null is before one of its key.
            let all = ["\"_run\" INTEGER NOT NULL"] + keyDefinitions + ["\"_kind\" TEXT NOT NULL"] + values
            return try connection.execute(
                "CREATE TABLE \(identifier: changes) (\(all), PRIMARY KEY (\"_run\", \(keys))) WITHOUT ROWID")
        }
        for column in columns {
            for name in ["old." + column, "new." + column] where !existing.contains(name) {
                try connection.execute("ALTER TABLE \(identifier: changes) ADD COLUMN \(identifier: name)")
            }
        }
    }

    /// Removes a column from the table of changes, if there is one.
    static func drop(_ column: String, of table: String, on connection: Connection) throws {
        let changes = changes(of: table)
        let existing = try connection.columns(of: changes)
        for name in ["old." + column, "new." + column] where existing.contains(name) {
            guard try !TableRows.holdsValues(name, of: changes, on: connection) else {
                throw StoreError(
                    .foreign, connection.name,
                    "\(table).\(column) becomes a relation, and runs that can be undone have changed its values",
                    hint: "forget these runs first, or import without relations")
            }
            try connection.execute("ALTER TABLE \(identifier: changes) DROP COLUMN \(identifier: name)")
        }
    }
}
