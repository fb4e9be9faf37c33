import TributarySQLite

/// The tables beside those of entities, whose rows name entities and columns.
extension MigrationScript {
    /// Gives entities and columns their later names in counters, rejects, marks and waiting references.
    mutating func renameNames() {
        countKeys()
        let names = source.model.entities.compactMap { entity in
            match.destination(of: entity).map { (from: entity.name, to: $0.name) }
        }.filter { $0.from != $0.to }
        renameRelations()
        guard !names.isEmpty else { return }
        let renames = Dictionary(names.map { ($0.from, $0.to) }) { first, _ in first }
        perform { connection in
            for (table, column) in [(RejectTable.name, "entity"), (MarkTable.name, "entity")] {
                guard try connection.hasTable(table) else { continue }
                // Entities may exchange their names, which are parts of keys.
                try Self.replace(column, of: table, on: connection) {
                    for (from, to) in names {
                        try connection.execute(
                            """
                            UPDATE \(identifier: table) SET \(identifier: column) = \(Self.mark + to)
                            WHERE \(identifier: column) = \(from)
                            """)
                    }
                }
            }
            if try connection.hasTable(MarkTable.name) {
                let feeds = try connection.rows(of: "SELECT DISTINCT \"feed\" FROM \(identifier: MarkTable.name)")
                try Self.replace("feed", of: MarkTable.name, on: connection) {
                    for case .text(let feed)? in feeds.map(\.first) {
                        let name = MarkTable.renamed(feed, renames)
                        guard name != feed else { continue }
                        try connection.execute(
                            """
                            UPDATE \(identifier: MarkTable.name) SET "feed" = \(Self.mark + name)
                            WHERE "feed" = \(feed)
                            """)
                    }
                }
            }
            try EntityRenames.add(renames, on: connection)
        }
    }

    private static let mark = "_migrating."

    /// Calls `body`, which sets new texts behind the mark, and then removes the mark.
    private static func replace(
        _ column: String, of table: String, on connection: Connection, _ body: () throws -> Void
    ) throws {
        try body()
        try connection.execute(
            """
            UPDATE \(identifier: table) SET \(identifier: column) = substr(\(identifier: column), length(\(mark)) + 1)
            WHERE substr(\(identifier: column), 1, length(\(mark))) = \(mark)
            """)
    }

    /// Keeps the counters of keys, so that no key is assigned again.
    private mutating func countKeys() {
        let moves = tables.moves
        perform { connection in
            let rows = try connection.rows(of: "SELECT \"entity\", \"last\" FROM \(identifier: Schema.counters)")
            var known: [String: Int64] = [:]
            for row in rows {
                if case .text(let name) = row[0], case .integer(let last) = row[1] { known[name] = last }
            }
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

    /// Gives the relations of waiting references their later names, and forgets those of removed relationships.
    private mutating func renameRelations() {
        let match = match
        perform { connection in
            guard try connection.hasTable(WaitingTable.name) else { return }
            let rows = try connection.rows(of: "SELECT DISTINCT \"relation\" FROM \(identifier: WaitingTable.name)")
            try Self.replace("relation", of: WaitingTable.name, on: connection) {
                for row in rows {
                    guard case .text(let text)? = row.first else { continue }
                    let later = RelationName(text)?.renamed(by: match)?.text
                    guard later != text else { continue }
                    if let later {
                        try connection.execute(
                            "UPDATE \(identifier: WaitingTable.name) SET \"relation\" = \(Self.mark + later) WHERE \"relation\" = \(text)"
                        )
                    } else {
                        try connection.execute(
                            "DELETE FROM \(identifier: WaitingTable.name) WHERE \"relation\" = \(text)")
                    }
                }
            }
        }
    }
}
