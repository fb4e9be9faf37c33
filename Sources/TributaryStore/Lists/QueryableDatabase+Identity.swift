import TributarySQLite

extension QueryableDatabase {
    /// A table or view of another program with its columns, and with what identifies its rows.
    func identified(_ plain: QuerySource) throws -> QuerySource {
        var source = plain
        let name = plain.entity.name
        let columns = try connection.rows(
            of: "SELECT \"name\", \"type\", \"pk\" FROM pragma_table_xinfo(\(name), 'main') WHERE \"hidden\" <> 1"
        ) { (name: $0.text(at: 0), type: $0.text(at: 1), key: $0.integer(at: 2)) }
        source.columnNames = Dictionary(zip(plain.entity.attributes.map(\.name), columns.map(\.name))) { first, _ in
            first
        }
        source.identifiesRows = false
        guard plain.compiler.ordersByKey else { return source }
        let keys = columns.filter { $0.key > 0 }
        let isKeyed = try connection.hasRows(
            "SELECT 1 FROM pragma_table_list WHERE \"schema\" = 'main' AND \"name\" = \(name) AND \"wr\"")
        if isKeyed {
            source.identifiesRows = keys.count == 1
            source.keyColumn = keys.count == 1 ? keys[0].name : nil
            return source
        }
        let isHidden = Set(columns.map { $0.name.lowercasedASCII }).isSuperset(of: ["rowid", "_rowid_", "oid"])
        guard !isHidden else { return source }
        source.identifiesRows = true
        // Such a column is the number of the row, unless its key is declared as descending: then there is an index.
        if keys.count == 1, keys[0].type.lowercasedASCII == "integer",
            try !connection.hasRows("SELECT 1 FROM pragma_index_list(\(name), 'main') WHERE \"origin\" = 'pk'")
        {
            source.keyColumn = keys[0].name
        }
        return source
    }
}
