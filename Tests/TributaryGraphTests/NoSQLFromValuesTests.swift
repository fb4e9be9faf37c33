import Foundation
import Testing
import TributaryConcurrency
import TributaryGraph
import TributarySQLite
import TributaryTestSupport

/// No SQL is made of values: they are bound, all of them.
@Suite struct NoSQLFromValuesTests {
    /// The files in which text that is no literal becomes SQL.
    ///
    /// The type sees to everything else: a literal binds what is interpolated in it, and only a literal is a fragment.
    private static let allowed: Set<String> = [
        "PossibleDuplicatesTable.swift", "BulkWriter+Compared.swift",
        "BulkWriter+FeedOrder.swift",
        "BulkWriter+Writing.swift", "Connection.swift", "FilterTerm.swift", "FilterTermTest.swift",
        "FilterTranslator+Aggregates.swift", "FilterTranslator+Expressions.swift", "GrowingTable.swift",
        "LinkColumn.swift", "LinkWriter.swift", "LoadTransfer.swift", "MirroredTable.swift",
        "PairStorage.swift", "WaitingRelation.swift",
        "WaitingTable.swift", "ExportReader.swift", "Connection+Schema.swift", "BulkTable.swift", "ForeignWriter.swift",
        "SQLiteStore+Publishing.swift", "StagedDatabase.swift", "ChangeRecorder.swift",
        "TableLoad.swift",
        "RejectTable.swift",
        "RowComparer.swift",
        "SQLiteStore+Importing.swift", "SQLiteStore.swift", "Schema+Indexes.swift", "Schema.swift",
        "SchemaCode.swift", "MigrationScript+Values.swift",
        "Statement.swift", "StoreWriter+Links.swift",
        "StoreWriter.swift", "ValueTranslation+Groups.swift",
    ]
    private static let doors = [
        "trusted:", ".prepare(", "withUnboundStatement", "sqlite3_exec", "sqlite3_prepare", "mprintf", "Statement(sql",
        "get_table(",
    ]

    @Test("Text becomes SQL only in the files that are listed")
    func textBecomesSQLInAFewFilesOnly() throws {
        var found: Set<String> = []
        var count = 0
        let folder = Tool.package.appending(path: "Sources")
        for name in try FileManager.default.subpathsOfDirectory(atPath: folder.path) where name.hasSuffix(".swift") {
            count += 1
            let text = try String(contentsOf: folder.appending(path: name), encoding: .utf8)
            guard text.contains("TributarySQLite") || name.hasPrefix("TributarySQLite/") else { continue }
            for line in text.split(separator: "\n").map({ $0.trimmingCharacters(in: .whitespaces) })
            where !line.hasPrefix("//") && Self.doors.contains(where: line.contains) {
                found.insert(String(name.split(separator: "/").last ?? ""))
            }
        }
        #expect(count > 500)
        #expect(found == Self.allowed)
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

    @Test("No part of a value is in a statement")
    func noPartOfAValueIsInAStatement() throws {
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
