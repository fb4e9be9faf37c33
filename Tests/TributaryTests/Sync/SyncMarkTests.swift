import Foundation
import Testing
import TributaryGraph
import TributaryJSON
import TributarySQLite
import TributaryTestSupport

import Tributary

/// Which rows a sync marks, and how it deletes them softly.
@Suite struct SyncMarkTests {
    private let folder: TemporaryFolder
    private let manager: ContextManager
    private var path: String { folder.path("shop.sqlite") }

    init() throws {
        folder = try TemporaryFolder()
        var entity = EntityDescription("Item")
        var (key, name) = (AttributeDescription("id", .integer64), AttributeDescription("name", .string))
        (key.isOptional, name.isOptional) = (false, false)
        entity.attributes = [key, name, AttributeDescription("gone", .date)]
        entity.uniquenessConstraints = [["id"]]
        manager = try ContextManager(
            model: Model(ModelDescription([entity])), store: .sqlite(folder.path("shop.sqlite")))
    }

    @discardableResult
    private func sync(_ text: String, _ name: String, softly attribute: String? = nil) throws -> ImportSummary {
        var options = ImportOptions()
        (options.batchSize, options.jobs) = (2, 1)
        options.sync = SyncOptions(feed: "items")
        options.sync?.limit = .percent(100)
        options.sync?.softDelete = attribute
        let source = FeedSource(name: name, bytes: Array(text.utf8), piece: 50)
        return try manager.load(source, [.rows("Item", at: "[]")], options)
    }

    private func rows(_ query: SQLFragment) throws -> [[SQLValue]] { try Connection(.file(path)).rows(of: query) }

    @Test("Rows that a rolled-back transaction has inserted are not marked")
    func rolledBack() throws {
        // The record without a name is refused when the row before it in its batch is written already.
        #expect(throws: ImportError.self) {
            try sync(#"[{"id":1,"name":"a"},{"id":2,"name":"b"},{"id":3,"name":"c"},{"id":4}]"#, "one")
        }
        #expect(try rows("SELECT id FROM Item") == [[1], [2]])
        // Another program gets the numbers of the rows that were rolled back.
        let other = try Connection(.file(path))
        for id in [33, 34] {
            try other.execute("INSERT INTO \"Item\" (\"id\", \"name\", \"_version\") VALUES (\(id), 'theirs', 1)")
        }
        #expect(try rows("SELECT _pk FROM Item WHERE id > 30") == [[3], [4]])
        let next = try sync(#"[{"id":1,"name":"a"}]"#, "two")
        #expect(next.sync?.deleted == ["Item": 1])
        #expect(try rows("SELECT id FROM Item ORDER BY id") == [[1], [33], [34]])
    }

    @Test("A row that is deleted softly gets the date of today")
    func softDate() throws {
        try sync(#"[{"id":1,"name":"a"},{"id":2,"name":"b"}]"#, "one")
        let before = Date().timeIntervalSince1970
        try sync(#"[{"id":1,"name":"a"}]"#, "two", softly: "gone")
        let after = Date().timeIntervalSince1970
        guard case .real(let stored)? = try rows("SELECT gone FROM Item WHERE id = 2").first?.first else {
            return #expect(Bool(false), "there is no date")
        }
        #expect(before <= stored && stored <= after)
        let restored = try sync(#"[{"id":1,"name":"a"},{"id":2,"name":"b"}]"#, "three", softly: "gone").sync?.restored
        #expect(restored == 1)
    }

    @Test("An abandoned load leaves no marks")
    func restarted() throws {
        let text = (0..<300).map { "{\"id\":\($0),\"name\":\"n\"}" }.joined(separator: ",\n")
        var source = FeedSource(name: "one", bytes: Array("[\(text)]".utf8), piece: 50)
        source.event = (source.bytes.count / 2, .failure)
        var options = ImportOptions()
        options.batchSize = 10
        options.firstLoad = .direct
        options.sync = SyncOptions(feed: "items")
        options.resuming = .restart
        func load() throws {
            try manager.load(source, [.rows("Item", at: "[]")], options)
        }
        #expect(throws: JSONError.self) { try load() }
        #expect(try rows("SELECT run, entity FROM _mark") == [[1, "Item"]])
        #expect(try manager.imports.forget(run: 1))
        #expect(try rows("SELECT run, entity FROM _mark") == [])
        #expect(throws: JSONError.self) { try load() }
        source.event = nil
        try load()
        #expect(try rows("SELECT DISTINCT run FROM _mark") == [[.integer(3)]])
        #expect(try rows("SELECT COUNT(*) FROM Item") == [[300]])
    }
}
