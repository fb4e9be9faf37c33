import TributarySQLite

/// The tables beside those of entities, whose rows name entities and columns.
extension MigrationScript {
    /// Gives entities and relationships their later names in counters, rejects, marks and waiting references.
    mutating func renameNames() {
        countKeys()
        let match = match
        var names: [String: String] = [:]
        for entity in source.model.entities {
            if let later = match.destination(of: entity)?.name, later != entity.name { names[entity.name] = later }
        }
        perform { [names] connection in
            try Self.rename("relation", of: WaitingTable.name, on: connection) {
                RelationName($0)?.renamed(by: match)?.text
            }
            guard !names.isEmpty else { return }
            for table in [RejectTable.name, MarkTable.name] {
                try Self.rename("entity", of: table, on: connection) { names[$0] ?? $0 }
            }
            try Self.rename("feed", of: MarkTable.name, on: connection) { MarkTable.renamed($0, names) }
            try EntityRenames.add(names, on: connection)
        }
    }

    private static let mark = "_migrating."

    /// Gives the texts of a column their later names, and deletes the rows whose text has none.
    private static func rename(
        _ column: String, of table: String, on connection: Connection, _ later: (String) -> String?
    ) throws {
        guard try connection.hasTable(table) else { return }
        let (table, column): (SQLFragment, SQLFragment) = ("\(identifier: table)", "\(identifier: column)")
        // Texts may be exchanged, and are parts of keys, so new ones are marked at first.
        for text in try connection.texts(of: "SELECT DISTINCT \(column) FROM \(table) WHERE \(column) IS NOT NULL") {
            guard let name = later(text) else {
                try connection.execute("DELETE FROM \(table) WHERE \(column) = \(text)")
                continue
            }
            if name == text { continue }
            try connection.execute("UPDATE \(table) SET \(column) = \(mark + name) WHERE \(column) = \(text)")
        }
        try connection.execute(
            """
            UPDATE \(table) SET \(column) = substr(\(column), length(\(mark)) + 1)
            WHERE substr(\(column), 1, length(\(mark))) = \(mark)
            """)
    }

    /// Keeps the counters of keys, so that no key is assigned again.
    private mutating func countKeys() {
        let moves = tables.moves
        perform { connection in
            let rows = try connection.rows(of: "SELECT \"entity\", \"last\" FROM \(identifier: Schema.counters)") {
                ($0.text(at: 0), $0.integer(at: 1))
            }
            let known = Dictionary(rows) { $1 }
            try connection.execute("DELETE FROM \(identifier: Schema.counters)")
            for move in moves {
                let earlier = ([move.origin?.name] + move.copies.map { $0.source.name }).compactMap { $0 }
                guard let last = earlier.compactMap({ known[$0] }).max() else { continue }
                try connection.execute(
                    "INSERT INTO \(identifier: Schema.counters) (\"entity\", \"last\") VALUES (\(move.table.name), \(last))"
                )
            }
        }
    }
}
