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
        /// The columns of the table that its entries have: first those that it sorts, then others.
        let columns: [Int]
        /// The number of columns that it sorts.
        let sortedCount: Int
    }

    let table: String
    /// The statements that create the table and its indexes.
    let statements: [String]
    let sources: [Source]
    /// The indexes; the first one of a table without row keys is the table itself.
    let indexes: [Index]
    /// Whether rows have keys of their own, which their index entries end with.
    let hasRowKeys: Bool

    /// The layout of a table whose rows have cells for `columns`; nil if SQLite must write it.
    ///
    /// That is so for tables with triggers or generated columns, and for indexes that are partial, of expressions, in
    /// descending order or with another collation than that of bytes. A table without row keys `isJoin`.
    package init?(_ table: String, columns: [String], isJoin: Bool = false, on connection: Connection) throws {
        self.table = table
        hasRowKeys = !isJoin
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
        guard isPlain, let creation = statements.first,
            creation.uppercased().hasSuffix("WITHOUT ROWID") == isJoin
        else { return nil }
        self.statements = statements
        var names: [String] = []
        var mandatory: Set<Int> = []
        var sources: [Source] = []
        try connection.forEachRow(
            of: "SELECT \"name\", \"pk\", \"hidden\", \"notnull\" FROM pragma_table_xinfo(\(table))"
        ) { row in
            let name = row.text(at: 0)
            if row.integer(at: 3) != 0 { mandatory.insert(names.count) }
            names.append(name)
            if row.integer(at: 2) != 0 { isPlain = false }
            if row.integer(at: 1) != 0, name != "_pk", !isJoin { isPlain = false }
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
            of: """
                SELECT "name", "unique", "partial", "origin" FROM pragma_index_list(\(table)) ORDER BY "origin" <> 'pk', "seq"
                """
        ) { row in
            // The primary key of a table without row keys is the table.
            let name = row.text(at: 3) == "pk" ? table : row.text(at: 0)
            return (row.text(at: 0), name, isUnique: row.integer(at: 1) != 0, isPartial: row.integer(at: 2) != 0)
        }
        indexes = try list.map { listed, name, isUnique, isPartial in
            let query: SQLFragment =
                "SELECT \"cid\", \"desc\", \"coll\", \"key\" FROM pragma_index_xinfo(\(listed)) ORDER BY \"seqno\""
            var (columns, sortedCount): ([Int], Int) = ([], 0)
            try connection.forEachRow(of: query) { row in
                let column = Int(row.integer(at: 0))
                let isSorted = row.integer(at: 3) != 0
                if isSorted { sortedCount += 1 }
                // An entry ends with the key of its row.
                guard isSorted || column >= 0 else { return }
                if column < 0 || row.integer(at: 1) != 0 || row.text(at: 2) != "BINARY" { isPlain = false }
                columns.append(column)
            }
            if isPartial { isPlain = false }
            // To remove a repeated row, SQLite would look for its entry by the columns alone.
            if isUnique, !isJoin, mandatory.isSuperset(of: columns.prefix(sortedCount)) { isPlain = false }
            return Index(name: name, isUnique: isUnique, columns: columns, sortedCount: sortedCount)
        }
        guard isPlain, isJoin ? indexes.first?.name == table : names.first == "_pk" else { return nil }
    }
}
