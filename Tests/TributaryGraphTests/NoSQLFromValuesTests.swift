import Foundation
import Testing
import TributaryConcurrency
import TributaryGraph
import TributarySQLite
import TributaryTestSupport

/// No SQL is made of values: they are bound, all of them.
@Suite struct NoSQLFromValuesTests {
    /// The only lines in which text that is no literal becomes SQL, and why that is right.
    ///
    /// A literal that is an `SQLFragment` binds what is interpolated in it; text gets in through `stringLiteral:`, through
    /// what compiles plain text, and through SQLite itself.
    private static let allowed: [(file: String, line: String, why: String)] = [
        (
            "SQLiteStore+Importing.swift",
            "try connection.execute(SQLFragment(stringLiteral: \"PRAGMA cache_size = -\\(cacheKiB)\"))",
            "numbers and names of ours; a pragma or a definition binds nothing"
        ),
        (
            "Schema.swift", "return SQLFragment(stringLiteral: \"CREATE \\(kind) IF NOT EXISTS \\(rest)\")",
            "a statement of ours"
        ),
        (
            "RejectTable.swift", "try connection.withUnboundStatement(insertion) { statement in",
            "names of ours, and a place for each value"
        ),
        ("RejectTable.swift", "let list = SQLFragment(stringLiteral: \"\\\"id\\\", \" + list)", "names of ours"),
        (
            "SQLiteStore+Importing.swift",
            "try connection.execute(SQLFragment(stringLiteral: \"PRAGMA cache_size = \\(pages)\"))",
            "numbers and names of ours; a pragma or a definition binds nothing"
        ),
        (
            "BulkWriter+FeedOrder.swift", "try connection.withUnboundStatement(table.insertion) { insertion in",
            "quoted names"
        ),
        (
            "BulkWriter+FeedOrder.swift", "try connection.withUnboundStatement(table.update) { update in",
            "quoted names and question marks"
        ),
        (
            "BulkWriter+FeedOrder.swift", "try connection.withUnboundStatement(table.reading) { stored in",
            "quoted names and question marks"
        ),
        (
            "AsideTable.swift", "try connection.withUnboundStatement(sql) { statement in",
            "quoted names and question marks"
        ),
        (
            "GrowingTable.swift", "let type = SQLFragment(stringLiteral: attribute.type.storage.rawValue)",
            "numbers and names of ours; a pragma or a definition binds nothing"
        ),
        (
            "BulkWriter+Writing.swift", "try connection.withUnboundStatement(table.insertion) { statement in",
            "quoted names and question marks"
        ),
        (
            "BulkWriter+Writing.swift", "try connection.withUnboundStatement(table.reading) { stored in",
            "quoted names and question marks"
        ),
        (
            "BulkWriter+Writing.swift", "try connection.withUnboundStatement(table.update) { update in",
            "quoted names and question marks"
        ),
        (
            "BulkWriter+Compared.swift",
            "try connection.withUnboundStatement(update(of: columns)) { statement in",
            "quoted names and question marks"
        ),
        (
            "RowComparer.swift", "try connection.withUnboundStatement(table.lookup) { statement in",
            "quoted names and question marks"
        ),
        (
            "RowComparer.swift", "try connection.withUnboundStatement(table.reading) { stored in",
            "quoted names and question marks"
        ),
        (
            "SQLiteStore.swift",
            "try connection.execute(SQLFragment(stringLiteral: \"PRAGMA cache_size = -\\(cacheKiB)\"))",
            "numbers and names of ours; a pragma or a definition binds nothing"
        ),
        (
            "BulkWriter.swift", "try connection.withUnboundStatement(table.lookup) { statement in",
            "quoted names and question marks"
        ),
        (
            "FirstLoad.swift",
            "let columns = table.key.map { SQLFragment(stringLiteral: SQLIdentifier(table.columns[$0].name).quoted) }",
            "numbers and names of ours; a pragma or a definition binds nothing"
        ),
        (
            "MissingIndexes.swift",
            "try connection.execute(SQLFragment(stringLiteral: \"PRAGMA cache_size = -\\(sorterKiB)\"))",
            "numbers and names of ours; a pragma or a definition binds nothing"
        ),
        (
            "MissingIndexes.swift",
            "try? connection.execute(SQLFragment(stringLiteral: \"PRAGMA cache_size = \\(pages)\"))",
            "numbers and names of ours; a pragma or a definition binds nothing"
        ),
        (
            "MissingIndexes.swift",
            "for index in missing { try connection.execute(SQLFragment(stringLiteral: index.sql)) }",
            "numbers and names of ours; a pragma or a definition binds nothing"
        ),
        (
            "Schema.swift", "\"\\(identifier: column.name) \\(SQLFragment(stringLiteral: column.storage.rawValue))\"",
            "a case of ours"
        ),
        (
            "SQLiteStore.swift",
            "SQLFragment(stringLiteral: \"PRAGMA application_id = \\(StoreIdentity.applicationID)\"))",
            "a constant; a pragma binds nothing"
        ),
        (
            "Schema+Indexes.swift", "return SQLFragment(stringLiteral: text + \"'\")",
            "names of entities, their quotes doubled; a partial index binds nothing"
        ),
        (
            "StoreWriter+Conflicts.swift", "let statement = try connection.prepare(sql.text)",
            "the text of a fragment, whose values are bound"
        ),
        (
            "StoreWriter.swift", "try connection.withUnboundStatement(codec.insertion) { statement in",
            "quoted names and question marks"
        ),
        (
            "StoreWriter.swift", "return try connection.withUnboundStatement(codec.update) { statement in",
            "quoted names and question marks"
        ),
        (
            "FilterTranslator+Expressions.swift", "let name = SQLFragment(stringLiteral: \"'\\(operation.rawValue)'\")",
            "a case of ours"
        ),
        (
            "FilterTranslator+Expressions.swift", "let name = SQLFragment(stringLiteral: \"'\\(function.rawValue)'\")",
            "a case of ours"
        ),
        (
            "FilterTranslator+Expressions.swift", "let name = SQLFragment(stringLiteral: \"'\\(type.rawValue)'\")",
            "a case of ours"
        ),
        ("FilterTerm.swift", "term.sql = \"(\\(sql) - \\(SQLFragment(stringLiteral: Self.epoch)))\"", "a constant"),
        (
            "FilterTerm.swift",
            "var arguments: SQLFragment { \"\\(SQLFragment(stringLiteral: kind.literal)), \\(sql)\" }", "a case of ours"
        ),
        ("FilterTerm.swift", "SQLFragment(stringLiteral: String(folding.rawValue))", "a number of ours"),
        (
            "FilterTranslator+Aggregates.swift", "let letter = SQLFragment(stringLiteral: term.kind.literal)",
            "a case of ours"
        ),
        (
            "FilterTranslator+Aggregates.swift", "let name = SQLFragment(stringLiteral: \"'\\(function.rawValue)'\")",
            "a case of ours"
        ),
        (
            "FilterTranslator+Aggregates.swift", "let letter = SQLFragment(stringLiteral: kind.literal)",
            "a case of ours"
        ),
        ("FilterTermTest.swift", "\\(SQLFragment(stringLiteral: word))", "an operator of ours"),
        (
            "FilterTermTest.swift", "let name = SQLFragment(stringLiteral: \"'\\(`operator`.rawValue)'\")",
            "a case of ours"
        ),
        (
            "FilterTermTest.swift", "let options = SQLFragment(stringLiteral: String(folding.rawValue))",
            "a number of ours"
        ),
        ("ValueTranslation+Groups.swift", "\\(SQLFragment(stringLiteral: name))(", "a function of ours"),
        (
            "BatchCompiler.swift", "let kind = SQLFragment(stringLiteral: \"'\\(type.kind.rawValue)'\")",
            "a case of ours"
        ),
        (
            "Connection.swift",
            "try execute(SQLFragment(stringLiteral: \"PRAGMA cache_size = -\\(options.cacheKiB)\"))",
            "a number; a pragma binds nothing"
        ),
        (
            "Connection.swift",
            "public func prepare(_ sql: String) throws -> Statement { try Statement(sql, of: self) }", "the door itself"
        ),
        (
            "Connection.swift", "try withUnboundStatement(fragment.text) { statement in",
            "the text of a fragment, whose values are bound"
        ),
        ("Connection.swift", "public func withUnboundStatement<Result>(", "the door itself"),
        ("Connection.swift", "let statement = try cache.take(sql) ?? prepare(sql)", "the door itself"),
        ("Statement.swift", "let result = sqlite3_prepare_v3(", "the door itself"),
        ("SQLFragment.swift", "public init(stringLiteral text: String) {", "the door itself"),
    ]
    private static let doors = [
        "stringLiteral", "prepare(", "withUnboundStatement", "sqlite3_exec", "sqlite3_prepare", "mprintf",
        "Statement(sql",
        "appendLiteral(", "get_table(",
    ]
    /// The calls of doors that have nothing to do with SQL.
    private static let others = [
        "let changed = try prepare()", "private func prepare() throws -> [ManagedObject] {",
        "id = try SQLiteStore.prepare(connection, schema, configuration, location, options, &lock).id",
        "private static func prepare(",
        "public mutating func appendLiteral(_ literal: String) { fragment.text += literal }",
    ]

    @Test func textBecomesSQLInAFewPlacesOnly() throws {
        var found: Set<Int> = []
        var files = 0
        for target in ["TributaryGraph", "TributarySQLite"] {
            let folder = Tool.package.appending(path: "Sources/\(target)")
            let names = try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter {
                $0.hasSuffix(".swift")
            }
            for name in names {
                files += 1
                let text = try String(contentsOf: folder.appending(path: name), encoding: .utf8)
                // A filter and a value are written as literals as well; they never become text of SQL.
                if ["/SQLValue.swift", "/Filter+Interpolation.swift", "/FilterValue+Literals.swift"].contains(
                    where: name.hasSuffix)
                {
                    continue
                }
                for line in text.split(separator: "\n").map({ $0.trimmingCharacters(in: .whitespaces) }) {
                    guard Self.doors.contains(where: line.contains), !line.hasPrefix("//"), !Self.others.contains(line)
                    else { continue }
                    let place = Self.allowed.indices.first { index in
                        name.hasSuffix("/" + Self.allowed[index].file) && line.contains(Self.allowed[index].line)
                    }
                    if let place { found.insert(place) }
                    #expect(place != nil, Comment(rawValue: "\(target)/\(name): \(line)"))
                }
            }
        }
        #expect(files > 150)
        let unused = Self.allowed.indices.filter { !found.contains($0) }.map { Self.allowed[$0].line }
        #expect(unused.isEmpty, "no longer there")
    }

    /// Values with everything that SQL or a terminal could take for more than a value.
    private static func values(_ generator: inout SeededGenerator) -> [String] {
        let pieces = [
            "'", "\"", "`", "\u{0}", "'; DROP TABLE \"CrashTag\"; --", "\u{202E}evil\u{202C}", "\\", "%", "_", "?",
            "$1", "]]",
            "/*", "*/", "\n", "😀", "e\u{301}", ") OR 1=1 --", "NULL",
        ]
        return (0..<20).map { number in
            // What no statement of ours says.
            "zq\(number)vx" + (0..<1 + generator.below(5)).map { _ in generator.pick(pieces) }.joined()
                + "kw\(number)yj"
        }
    }

    @Test func noPartOfAValueIsInAStatement() throws {
        var generator = SeededGenerator.fresh()
        let recorder = StatementRecorder()
        let folder = try TemporaryFolder()
        let model = try Model(CrashItem.self, CrashBox.self, CrashShelf.self, CrashTag.self)
        let manager = try ContextManager(
            model: model, store: .sqlite(folder.path("values.sqlite")), options: recorder.options)
        let values = Self.values(&generator)
        let names: [StaticString] = ["==", "!=", "CONTAINS", "BEGINSWITH[cd]", "ENDSWITH[c]", "LIKE", "<", ">="]
        let context = manager.newPrivateContext()
        try context.performAndWait { context in
            for (number, value) in values.enumerated() {
                context.insert(CrashTag.self).name = value
                let item = context.insert(CrashItem.self)
                (item.number, item.label, item.picture) = (number, value, Data(value.utf8))
            }
            try context.save()
            for value in values {
                #expect(try context.count(FetchRequest<CrashTag>(where: "name == \(value)")) == 1, "\(generator.seed)")
                for name in names {
                    let filter = try Filter(format: "label \(name) %@", value)
                    _ = try context.fetch(FetchRequest<CrashItem>(where: filter, sort: [SortKey("label")]))
                }
                _ = try context.fetch(FetchRequest<CrashItem>(where: try Filter(format: "label IN %@", values)))
                var request = ValueRequest(entity: "CrashItem", where: try Filter(format: "label == %@", value))
                request.columns = [.key("label"), .init(value, .constant(.string(value)))]
                let rows = try context.values(request)
                #expect(rows.map(\.values) == [[.string(value), .string(value)]], "\(generator.seed)")
                let update = BatchUpdate(
                    entity: "CrashItem", set: ["label": .constant(.string("new" + value))],
                    where: try Filter(format: "label == %@", value))
                #expect(try context.execute(update).updated.count == 1, "\(generator.seed)")
                let tag = try #require(try context.fetch(FetchRequest<CrashTag>(where: "name == \(value)")).first)
                tag.name += "more"
                try context.save()
                let deletion = BatchDelete(entity: "CrashItem", where: try Filter(format: "label == %@", "new" + value))
                #expect(try context.execute(deletion).deleted.count == 1, "\(generator.seed)")
            }
            #expect(try context.count(FetchRequest<CrashTag>()) == values.count)
        }
        let statements = recorder.all
        #expect(statements.count > 500)
        for number in values.indices {
            let marks = ["zq\(number)vx", "kw\(number)yj"]
            let told = statements.first { statement in marks.contains(where: statement.contains) }
            #expect(told == nil, "seed \(generator.seed)")
        }
        #expect(!statements.contains { $0.contains("DROP") || $0.contains("\u{202E}") || $0.contains("1=1") })
    }
}
