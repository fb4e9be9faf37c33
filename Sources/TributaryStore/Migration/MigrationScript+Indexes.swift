import TributarySQLite

/// Indexes of this library, and what other programs have added.
extension MigrationScript {
    /// The definition of an index without its name.
    private static func definition(_ statement: String) -> String? {
        // The name is quoted, and a quote in it is doubled.
        var text = Substring(statement)
        guard let start = text.firstIndex(of: "\"") else { return nil }
        let kind = text[..<start]
        text = text[text.index(after: start)...]
        while let quote = text.firstIndex(of: "\"") {
            let next = text.index(after: quote)
            if next < text.endIndex, text[next] == "\"" {
                text = text[text.index(after: next)...]
                continue
            }
            return String(kind) + text[next...]
        }
        return nil
    }

    /// The statements of the indexes that the later model needs, by definition.
    private var wanted: [String: (name: String, statement: SQLFragment)] {
        var wanted: [String: (name: String, statement: SQLFragment)] = [:]
        for (name, statement) in destination.namedIndexes() {
            if let definition = Self.definition(statement.text) { wanted[definition] = (name, statement) }
        }
        return wanted
    }

    /// The indexes of this library that are in the database.
    private static func existing(on connection: Connection) throws -> [(name: String, sql: String)] {
        try connection.rows(
            of: """
                SELECT "name", "sql" FROM sqlite_master WHERE "type" = 'index' AND "sql" IS NOT NULL
                AND ("name" GLOB '_index.*' OR "name" GLOB '_unique.*') ORDER BY "name"
                """
        ) { ($0.text(at: 0), $0.text(at: 1)) }
    }

    /// Drops the indexes that the later model does not have, which may contain columns to be dropped.
    mutating func dropIndexes() {
        let wanted = wanted
        let tables = Set((destination.tables.map(\.name) + destination.joins.map(\.name)).map(\.lowercasedASCII))
        let earlierNames = Set(source.tables.map { self.tables.current($0.name) } + source.joins.map(current))
        perform { connection in
            var kept: Set<String> = []
            for (name, sql) in try Self.existing(on: connection) {
                let table = try connection.value(of: "SELECT \"tbl_name\" FROM sqlite_master WHERE \"name\" = \(name)")
                guard case .text(let table)? = table else { continue }
                // Indexes of the side tables stay.
                guard tables.contains(table.lowercasedASCII) || earlierNames.contains(table) else { continue }
                if let definition = Self.definition(sql), wanted[definition] != nil, kept.insert(definition).inserted {
                    continue
                }
                try connection.execute("DROP INDEX \(identifier: name)")
            }
        }
    }

    /// Creates missing indexes, and gives others the names of the later model.
    mutating func restoreIndexes() {
        let wanted = wanted
        perform { connection in
            var missing = wanted
            var renamed: [(from: String, to: String, sql: String)] = []
            for (name, sql) in try Self.existing(on: connection) {
                guard let definition = Self.definition(sql), let found = missing.removeValue(forKey: definition) else {
                    continue
                }
                if found.name != name { renamed.append((name, found.name, found.statement.text)) }
            }
            // Two may exchange their names.
            for (from, to, sql) in renamed {
                try connection.renameIndex(
                    from, to: "_migrating.\(to)",
                    sql: sql.replacing(
                        SQLIdentifier(to).quoted, with: SQLIdentifier("_migrating.\(to)").quoted, maxReplacements: 1))
            }
            for (_, to, sql) in renamed { try connection.renameIndex("_migrating.\(to)", to: to, sql: sql) }
            for index in missing.values.sorted(by: { $0.name < $1.name }) {
                do {
                    try connection.execute(index.statement)
                } catch let error as SQLiteError where error.code == .uniqueConstraint {
                    throw MigrationRefusal(
                        reason:
                            "objects repeat the values of \(index.name.split(separator: ".").dropFirst().joined(separator: ".")), which become unique: delete the repeats, or leave the constraint out"
                    )
                }
            }
        }
    }

    // MARK: Other programs

    /// Refuses to drop what other programs have added to tables and columns, or that no longer works.
    mutating func protectUserObjects() {
        let (source, tables) = (source, tables)
        let dropped = source.tables.filter { tables.successors[$0.name] == nil }.map(\.name)
        let emptied = Set(tables.moves.flatMap { $0.copies.map(\.source.name) })
        let joins = source.joins.filter { successor(of: $0) == nil }.map(\.name)
        perform { connection in
            for table in dropped + joins {
                let own = try connection.rows(
                    of: """
                        SELECT "type", "name" FROM sqlite_master WHERE "tbl_name" = \(table) COLLATE NOCASE
                        AND "type" IN ('trigger', 'index') AND "sql" IS NOT NULL
                        AND "name" NOT GLOB '_index.*' AND "name" NOT GLOB '_unique.*'
                        """)
                guard let first = own.first, case .text(let kind) = first[0], case .text(let name) = first[1] else {
                    continue
                }
                throw MigrationRefusal(
                    reason:
                        "another program has made the \(kind) \(name) on \(table), which would be dropped: drop it first"
                )
            }
            for layout in source.tables where dropped.contains(layout.name) || emptied.contains(layout.name) {
                let known = Set(
                    (["_pk", "_version", "_entity"] + layout.columns.map(\.name) + source.orders(in: layout)).map(
                        \.lowercasedASCII))
                for name in try connection.columns(of: layout.name) where !known.contains(name.lowercasedASCII) {
                    throw MigrationRefusal(
                        reason:
                            "another program has added the column \(name) to \(layout.name), whose rows would lose it: drop it first"
                    )
                }
            }
        }
    }
}
