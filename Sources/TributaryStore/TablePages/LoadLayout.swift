package import TributarySQLite

/// The columns and indexes of a table whose pages are written directly.
package struct LoadLayout {
    /// Where the value of a column comes from.
    enum Source {
        /// The key of the row, which its record has as null.
        case key
        /// The version of a new row.
        case version
        /// A cell of the caller.
        case cell(Int)
        /// No value.
        case null
    }

    /// An index of the table.
    struct Index {
        let name: String
        let isUnique: Bool
        /// The columns of the table that it sorts.
        let columns: [Int]
    }

    let table: String
    /// The statements that create the table and its indexes.
    let statements: [String]
    let sources: [Source]
    let indexes: [Index]

    /// The layout of a table whose rows have cells for `columns`; nil if SQLite must write it.
    ///
    /// That is so for tables without rows of their own keys, with triggers or generated columns, and for indexes that are
    /// partial, of expressions, in descending order or with another collation than that of bytes.
    package init?(_ table: String, columns: [String], on connection: Connection) throws {
        self.table = table
        var statements: [String] = []
        var isPlain = true
        try connection.forEachRow(
            of: """
                SELECT "type", "sql" FROM sqlite_master WHERE "tbl_name" = \(table) COLLATE NOCASE
                ORDER BY "type" = 'table' DESC, "type" = 'index'
                """
        ) { row in
            if row.text(at: 0) == "trigger" { isPlain = false }
            // An index that a constraint has made has no statement.
            if row.value(at: 1) == .null { isPlain = false } else { statements.append(row.text(at: 1)) }
        }
        guard isPlain, let creation = statements.first, !creation.uppercased().hasSuffix("WITHOUT ROWID") else {
            return nil
        }
        self.statements = statements
        var names: [String] = []
        var sources: [Source] = []
        try connection.forEachRow(of: "SELECT \"name\", \"pk\", \"hidden\" FROM pragma_table_xinfo(\(table))") { row in
            let name = row.text(at: 0)
            names.append(name)
            if row.integer(at: 2) != 0 { isPlain = false }
            if row.integer(at: 1) != 0, name != "_pk" { isPlain = false }
            if name == "_pk" {
                sources.append(.key)
            } else if name == "_version" {
                sources.append(.version)
            } else {
                sources.append(columns.firstIndex(of: name).map { .cell($0) } ?? .null)
            }
        }
        self.sources = sources
        let list = try connection.rows(
            of: "SELECT \"name\", \"unique\", \"partial\" FROM pragma_index_list(\(table))"
        ) { (name: $0.text(at: 0), isUnique: $0.integer(at: 1) != 0, isPartial: $0.integer(at: 2) != 0) }
        indexes = try list.map { name, isUnique, isPartial in
            let query: SQLFragment =
                "SELECT \"cid\", \"desc\", \"coll\" FROM pragma_index_xinfo(\(name)) WHERE \"key\" ORDER BY \"seqno\""
            let columns = try connection.rows(of: query) { row in
                let column = Int(row.integer(at: 0))
                if column < 0 || row.integer(at: 1) != 0 || row.text(at: 2) != "BINARY" { isPlain = false }
                return column
            }
            if isPartial { isPlain = false }
            return Index(name: name, isUnique: isUnique, columns: columns)
        }
        guard isPlain, names.first == "_pk" else { return nil }
    }
}
