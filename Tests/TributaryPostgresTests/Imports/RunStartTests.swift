import Testing
import TributaryConcurrency
import TributaryModel
import TributaryTestSupport

import Tributary
import TributaryPostgres

/// What an import does before its first record and after its last one.
@Suite struct RunStartTests {
    let world: PostgresWorld

    init() throws { world = try PostgresWorld() }

    /// Begins an import that ends with an error after its first record.
    private func fail(_ table: String) throws {
        let feed = try world.makeImport(
            #"[{"id":1},{"x":2}]"#, .inferred(table, key: "id"), file: "\(table).json"
        ) { options, _ in (options.maxErrors, options.batchSize) = (.count(0), 1) }
        #expect(throws: ImportError.self) { try feed.perform() }
    }

    @Test("While an index is made or references are resolved, other imports can begin")
    func lock() throws {
        let name = "lock-\(world.schema.suffix(8))"
        let locks = Guarded<[String]>([])
        let watch: @Sendable (String) -> Void = { [world] text in
            let isIndex = text.hasPrefix("ALTER TABLE") && text.contains("ADD PRIMARY KEY")
            guard isIndex || text.contains("DISTINCT \"relation\"") else { return }
            let found = try? world.column(
                """
                SELECT count(*) FROM pg_locks JOIN pg_stat_activity USING (pid)
                WHERE locktype = 'advisory' AND application_name = $1
                """, [.text(name)])
            locks.withLock { $0.append("\(isIndex ? "index" : "references") \(found?.first?.map(\.self) ?? "?")") }
        }
        let address = try world.address("&application_name=\(name)")
        try fail("thing")
        // The index of the rows that are there is made before the import starts over.
        for resuming in [ImportOptions.Resuming.restart, .again] {
            let table = resuming == .restart ? "thing" : "other"
            let feed = try world.makeImport(
                #"[{"id":1},{"x":2}]"#, .inferred(table, key: "id"), file: "\(table).json", to: address
            ) { ($0.resuming, $1.onStatement) = (resuming, watch) }
            #expect(try feed.perform().summary.tally[6] == 1)
        }
        var book = EntityDescription("Book")
        book.attributes = [AttributeDescription("id", .integer64)]
        book.uniquenessConstraints = [["id"]]
        book.relationships = [RelationshipDescription("next", to: "Book")]
        let feed = try world.makeImport(
            #"[{"id":1,"next":2},{"id":2,"next":9}]"#, .rows("Book", at: "[]"), model: Model(ModelDescription([book])),
            file: "books.json", to: address
        ) { $1.onStatement = watch }
        #expect(try feed.perform().summary.dangling == ["Book.next": 1])
        let found = locks.withLock { $0 }
        #expect(found == ["index 0", "index 0", "references 0"], "\(found)")
    }

    @Test("A run that made an index and was lost then is finished by the same command")
    func lostAfterIndex() throws {
        let address = try world.address("&application_name=lost-\(world.schema.suffix(8))")
        let text = #"[{"id":1,"v":1},{"id":2},{"id":1,"v":2}]"#
        let isMade = Guarded(false)
        let feed = try world.makeImport(text, .inferred("thing", key: "id"), to: address) { options, settings in
            options.resuming = .resume
            settings.onStatement = { [world] text in
                if text.hasPrefix("ALTER TABLE"), text.contains("ADD PRIMARY KEY") { isMade.withLock { $0 = true } }
                guard text.contains("FROM _held"), isMade.withLock({ $0 }) else { return }
                isMade.withLock { $0 = false }
                _ = try? world.column(
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = $1",
                    [.text("lost-\(world.schema.suffix(8))")])
            }
        }
        #expect(try feed.perform().summary.tally == [3, 2, 1, 0, 0, 0, 0])
        #expect(try world.rows() == [#"{"v": 2, "id": 1}"#, #"{"v": null, "id": 2}"#])
        try world.expectNoLeftovers()
    }

    @Test("Held rows that another version has stored end the run with an error")
    func foreignHeldRows() throws {
        let feed = try world.makeImport(#"[{"id":1,"v":1},{"id":2},{"id":1,"v":2}]"#, .inferred("thing", key: "id")) {
            $1.onStatement = { [world] text in
                if text.contains("FROM _held"), text.contains("origin") {
                    try? world.execute("UPDATE _held SET row = '\\x0601070002'")
                }
            }
        }
        let error = try #require(throws: PostgresError.self) { try feed.perform() }
        #expect(error.reason.contains("holds back"), "\(error)")
    }

    @Test("The number of statements of a start does not depend on the number of unfinished runs")
    func unfinishedRuns() throws {
        func statements(_ table: String) throws -> Int {
            let count = Guarded(0)
            try world.load(#"[{"id":1}]"#, .inferred(table), file: "\(table).json") { options, settings in
                options.resuming = .resume
                settings.onStatement = { _ in count.withLock { $0 += 1 } }
            }
            return count.withLock { $0 }
        }
        try fail("a")
        let few = try statements("one")
        for name in ["b", "c", "d", "e", "f"] { try fail(name) }
        #expect(try statements("two") == few)
        let runs = try Imports(in: world.address()).runs()
        #expect(runs.count == 8 && runs.allSatisfy { $0.entry.summary.read > 0 }, "\(runs)")
    }

    @Test("A finished import that is joined again ends before it divides the file", arguments: [true, false])
    func finishedAndJoined(_ hasModel: Bool) throws {
        let model = hasModel ? try Model(thing: [AttributeDescription("id", .integer64)]) : nil
        let texts = Guarded<[String]>([])
        for _ in 0..<2 {
            texts.withLock { $0 = [] }
            let route = hasModel ? ImportRoute.rows("thing") : .inferred("thing", key: "id")
            _ = try world.makeImport(#"[{"id":1},{"id":2}]"#, route, model: model) { options, settings in
                (options.resuming, settings.joins) = (.resume, true)
                settings.onStatement = { text in texts.withLock { $0.append(text) } }
            }.perform()
        }
        #expect(!texts.withLock { $0 }.contains { $0.contains("advisory") })
        #expect(try world.rows().count == 2)
    }
}
