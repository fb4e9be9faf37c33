import TributarySQLite

/// The tables beside those of entities, whose rows name entities and columns.
extension MigrationScript {
    /// Gives entities and columns their later names in counters, rejects, marks, kept changes and waiting references.
    mutating func renameNames() {
        countKeys()
        renameChanges()
        renameJoinChanges()
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

    /// Renames the tables and columns of kept changes with those that they are of.
    private mutating func renameChanges() {
        let (source, tables, match) = (source, tables, match)
        let moved = Set(tables.moves.flatMap { $0.copies.map(\.source.name) })
        perform { connection in
            // Tables may exchange their names.
            for layout in source.tables {
                let changes = RecordedTable.changes(of: layout.name)
                guard try connection.hasTable(changes) else { continue }
                try connection.execute(
                    "ALTER TABLE \(identifier: changes) RENAME TO \(identifier: Self.mark + changes)")
            }
            for layout in source.tables {
                let changes = Self.mark + RecordedTable.changes(of: layout.name)
                guard try connection.hasTable(changes) else { continue }
                guard !moved.contains(layout.name) else {
                    throw MigrationRefusal(
                        "objects of \(layout.name) move to another table, and undoable runs have kept their changes: undo or forget these runs first"
                    )
                }
                guard let index = tables.successors[layout.name] else {
                    try connection.execute("DROP TABLE \(identifier: changes)")
                    continue
                }
                let move = tables.moves[index]
                let kept =
                    move.columns.compactMap { column in column.reusedColumn.map { ($0, column.name) } }
                    + move.columns.flatMap { column in
                        // Values that were copied within the table.
                        column.sources.compactMap(\.place).filter { $0.table == layout.name }.map {
                            ($0.name, column.name)
                        }
                    }
                    + move.orders.compactMap { order in order.reusedColumn.map { ($0, order.name) } }
                let names = Dictionary(kept) { first, _ in first }
                var renames: [(from: String, to: String)] = []
                if move.table.hasSubentities, layout.hasSubentities {
                    try Self.renameEntities(of: layout.root, by: match, in: changes, on: connection)
                }
                for row in try connection.rows(of: "SELECT \"name\" FROM pragma_table_xinfo(\(changes))") {
                    guard case .text(let name)? = row.first else { continue }
                    for prefix in ["old.", "new."] where name.hasPrefix(prefix) {
                        let column = String(name.dropFirst(prefix.count))
                        if column == "_entity" {
                            if move.table.hasSubentities { continue }
                        } else {
                            let isOwn = layout.columns.contains { $0.name == column }
                            guard isOwn || source.orders(in: layout).contains(column) else { continue }
                        }
                        if let later = names[column] {
                            if later != column { renames.append((name, prefix + later)) }
                        } else {
                            try connection.execute("ALTER TABLE \(identifier: changes) DROP COLUMN \(identifier: name)")
                        }
                    }
                }
                for (from, _) in renames {
                    try connection.execute(
                        "ALTER TABLE \(identifier: changes) RENAME COLUMN \(identifier: from) TO \(identifier: "_" + from)"
                    )
                }
                for (from, to) in renames {
                    try connection.execute(
                        "ALTER TABLE \(identifier: changes) RENAME COLUMN \(identifier: "_" + from) TO \(identifier: to)"
                    )
                }
                try connection.execute(
                    "ALTER TABLE \(identifier: changes) RENAME TO \(identifier: RecordedTable.changes(of: move.table.name))"
                )
            }
        }
    }

    private mutating func renameJoinChanges() {
        let joins = source.joins.map { (from: $0.name, to: successor(of: $0)?.name) }
        perform { connection in
            for (from, _) in joins where try connection.hasTable(RecordedTable.changes(of: from)) {
                let changes = RecordedTable.changes(of: from)
                try connection.execute(
                    "ALTER TABLE \(identifier: changes) RENAME TO \(identifier: Self.mark + changes)")
            }
            for (from, to) in joins where try connection.hasTable(Self.mark + RecordedTable.changes(of: from)) {
                let changes = Self.mark + RecordedTable.changes(of: from)
                guard let to else {
                    throw MigrationRefusal(
                        "links of \(from.dropFirst()) move to another table, and undoable runs have kept their changes: undo or forget these runs first"
                    )
                }
                try connection.execute(
                    "ALTER TABLE \(identifier: changes) RENAME TO \(identifier: RecordedTable.changes(of: to))")
            }
        }
    }

    private static func renameEntities(
        of root: Entity, by match: ModelMatch, in changes: String, on connection: Connection
    ) throws {
        let cases = ([root] + root.descendants).compactMap { entity -> SQLFragment? in
            match.destination(of: entity).map { "WHEN \(entity.name) THEN \($0.name)" }
        }.joined(separator: " ")
        let removed = ([root] + root.descendants).filter { match.destination(of: $0) == nil }.map {
            SQLFragment($0.name)
        }
        if !removed.isEmpty {
            try connection.execute(
                "DELETE FROM \(identifier: changes) WHERE COALESCE(\"old._entity\", \"new._entity\") IN (\(removed))")
        }
        for column in ["old._entity", "new._entity"] {
            let name: SQLFragment = "\(identifier: column)"
            try connection.execute(
                "UPDATE \(identifier: changes) SET \(name) = CASE \(name) \(cases) ELSE \(name) END WHERE \(name) IS NOT NULL"
            )
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
