import Foundation
import Testing
import TributaryGraph
import TributaryJSON
import TributarySQLite
import TributaryTestSupport

import Tributary

/// Databases that get their name when their first import has finished.
@Suite struct UnpublishedDatabaseTests {
    private static let text = (0..<200).map { "{\"id\":\($0 % 50),\"name\":\"\($0)\"}" }
    private static let expected = (0..<50).map { "\($0 + 1) \($0) \($0 + 150)" }

    private static func direct(_ options: inout ImportOptions) {
        options.firstLoad = .direct
        options.batchSize = 7
    }

    private func close(_ manager: ContextManager) async { await MainActor.run { manager.close() } }

    private func files(_ folder: TemporaryFolder) throws -> [String] {
        // The log of SQLite may outlive a store whose readers are closed last.
        try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted()
            .filter { !$0.hasSuffix("-wal") && !$0.hasSuffix("-shm") }
    }

    @Test("An import makes one file, under its name", arguments: [ImportOptions.FirstLoad.direct, .inGroups])
    func oneFile(_ way: ImportOptions.FirstLoad) async throws {
        let items = try ItemStore(creation: .afterFirstImport)
        #expect(!FileManager.default.fileExists(atPath: items.path))
        let books = try items.take("[\(Self.text.joined(separator: ","))]") {
            Self.direct(&$0)
            $0.firstLoad = way
        }
        #expect(books.tally == [200, 50, 150, 0, 0, 0, 0])
        #expect(try items.rows() == Self.expected)
        // The store continues in the published file.
        #expect(try items.take("[{\"id\":1000,\"name\":\"later\"}]").inserted == 1)
        #expect(try items.faults() == [])
        await close(items.manager)
        #expect(try files(items.folder) == ["items.sqlite"])
    }

    @Test("An import that empties its table first publishes the database as well")
    func truncating() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path("t.sqlite")
        var options = ImportOptions()
        options.truncates = true
        for text in ["[{\"id\":1}]", "[{\"id\":2},{\"id\":3}]"] {
            let manager = try ContextManager(inferring: "t", at: path, creation: .afterFirstImport)
            let feed = StreamImport(into: manager, from: [.text(text)], routes: [.inferred("t")], options: options)
            guard case .finished = try feed.perform() else { return #expect(Bool(false)) }
            await close(manager)
        }
        #expect(try files(folder) == ["t.sqlite"])
        let connection = try Connection(.file(path))
        #expect(try connection.rows(of: "SELECT \"id\" FROM \"t\"") == [[2], [3]])
    }

    @Test("A database that nothing was imported into or saved leaves no file")
    func nothingImported() async throws {
        let items = try ItemStore(creation: .afterFirstImport)
        await close(items.manager)
        #expect(try files(items.folder) == [])
    }

    @Test("Objects that were saved before the first import are in the published database, and after a load")
    func savedBefore() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path("shop.sqlite")
        var opening = StoreOptions()
        opening.creation = .afterFirstImport
        let model = try Model(FeedItem.self, Item.self, Maker.self, Shelf.self)
        var manager = try ContextManager(model: model, store: .sqlite(path), options: opening)
        try manager.writeAndWait { context in context.insert(Maker.self).code = "before" }
        await close(manager)
        #expect(try files(folder) == ["shop.sqlite-new"])
        // A program that opens the name finds them, and an import resumes there.
        manager = try ContextManager(model: model, store: .sqlite(path))
        var options = ImportOptions.batches(of: 7, onError: .stop)
        options.firstLoad = .direct
        let inserted = try manager.load(.text("[\(Self.text.joined(separator: ","))]"), [.rows("FeedItem")], options)
            .inserted
        #expect(inserted == 50)
        try manager.writeAndWait { context in
            let (makers, count) = (try Maker.all(in: context).map(\.code), try FeedItem.all(in: context).count)
            #expect(makers == ["before"] && count == 50)
            context.insert(Maker.self).code = "after"
        }
        #expect(try FeedStore.faults(manager.stores.stores[0]) == [])
        await close(manager)
        #expect(try files(folder) == ["shop.sqlite"])
        let connection = try Connection(.file(path))
        let makers = try connection.rows(of: "SELECT \"_pk\", \"code\" FROM \"Maker\" ORDER BY 1")
        #expect(makers == [[1, "before"], [2, "after"]])
    }

    @Test("A name that is taken during the import is never overwritten, and the import can be published later")
    func nameIsTaken() throws {
        let items = try ItemStore(creation: .afterFirstImport)
        let file = try items.folder.write("[\(Self.text.joined(separator: ","))]".utf8, to: "feed.json")
        try Data("theirs".utf8).write(to: URL(filePath: items.path))
        func take() throws -> ImportOutcome {
            try items.makeImport(FileSource(file)) {
                Self.direct(&$0)
                $0.resuming = .resume
            }.perform()
        }
        #expect { try take() } throws: { ($0 as? StoreError)?.code == .inUse && "\($0)".contains("another program") }
        #expect(FileManager.default.contents(atPath: items.path) == Data("theirs".utf8))
        try FileManager.default.removeItem(atPath: items.path)
        // Nothing is read again: the run has ended.
        let outcome = try take()
        guard case .alreadyFinished(let books) = outcome else {
            Issue.record("it was imported again: \(outcome)")
            return
        }
        #expect(books.tally == [200, 50, 150, 0, 0, 0, 0])
        #expect(FileManager.default.fileExists(atPath: items.path))
        #expect(try items.rows() == Self.expected)
        #expect(try items.faults() == [])
    }

    @Test("A stopped first import is found under the name, and resumes")
    func stoppedAndResumed() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path("items.sqlite")
        var source = FeedSource(name: "feed", bytes: Array("[\(Self.text.joined(separator: ","))]".utf8), piece: 64)
        let size = source.bytes.count
        var summaries: [ImportSummary] = []
        for end in [size / 3, size * 2 / 3, nil] {
            source.event = end.map { ($0, .failure) }
            var opening = StoreOptions()
            opening.creation = .afterFirstImport
            let manager = try ContextManager(model: Model(FeedItem.self), store: .sqlite(path), options: opening)
            var options = ImportOptions.batches(of: 7, onError: .stop)
            Self.direct(&options)
            options.resuming = .resume
            let feed = StreamImport(
                into: manager, from: [source], routes: [.rows("FeedItem", at: "[]")], options: options)
            if end == nil {
                summaries.append(try feed.perform().summary)
                #expect(try FeedStore.faults(manager.stores.stores[0]) == [])
            } else {
                #expect(throws: JSONError.self) { try feed.perform() }
                let entries = try manager.imports.entries()
                #expect(entries.count == 1)
            }
            await close(manager)
        }
        #expect(summaries.map(\.tally) == [[200, 50, 150, 0, 0, 0, 0]])
        #expect(try files(folder) == ["items.sqlite"])
    }

    @Test("An unfinished load forbids staged imports, and is not resumed without its file")
    func unfinishedLoad() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path("items.sqlite")
        func load(fails: Bool = false) async throws -> ImportSummary {
            let bytes = Array("[\(Self.text.joined(separator: ","))]".utf8)
            var source = FeedSource(name: "feed", bytes: bytes, piece: 64)
            if fails { source.event = (bytes.count * 2 / 3, .failure) }
            let manager = try ContextManager(model: Model(FeedItem.self), store: .sqlite(path))
            var options = ImportOptions.batches(of: 7, onError: .stop)
            Self.direct(&options)
            options.resuming = .resume
            let result = Result { try manager.load(source, [.rows("FeedItem", at: "[]")], options) }
            await close(manager)
            return try result.get()
        }
        await #expect(throws: JSONError.self) { try await load(fails: true) }
        #expect { try StagedDatabase.update(path) { _ in true } } throws: {
            ($0 as? StoreError)?.code == .inUse && "\($0)".contains("run 1 has begun to load FeedItem")
        }
        #expect(try files(folder) == ["items.sqlite", "items.sqlite-load"])
        try FileManager.default.moveItem(atPath: path + "-load", toPath: folder.path("kept"))
        await #expect { try await load() } throws: { ($0 as? StoreError)?.code == .missing }
        try FileManager.default.moveItem(atPath: folder.path("kept"), toPath: path + "-load")
        #expect(try await load().tally == [200, 50, 150, 0, 0, 0, 0])
        #expect(try StagedDatabase.update(path) { _ in true })
        #expect(try files(folder) == ["items.sqlite"])
    }

    @Test("A second name that a crash has left while a database got its name is removed by any program that writes")
    func secondName() async throws {
        let items = try ItemStore()
        try items.take("[{\"id\":1,\"name\":\"a\"}]")
        await close(items.manager)
        try FileManager.default.linkItem(atPath: items.path, toPath: items.path + "-new")
        var reading = StoreOptions()
        reading.isReadOnly = true
        await close(try ContextManager(model: Model(FeedItem.self), store: .sqlite(items.path), options: reading))
        #expect(try files(items.folder).count == 2)
        await close(try ContextManager(model: Model(FeedItem.self), store: .sqlite(items.path)))
        #expect(try files(items.folder) == ["items.sqlite"])
    }

    @Test("Files of others in the places of a load and of an unpublished database stay when a database is erased")
    func erasing() async throws {
        let items = try ItemStore()
        try items.take("[{\"id\":1,\"name\":\"a\"}]")
        await close(items.manager)
        for ending in ["-new", "-load"] { try Data("theirs".utf8).write(to: URL(filePath: items.path + ending)) }
        #expect(try ContextManager.erase(.sqlite(items.path)))
        for ending in ["-new", "-load"] {
            #expect(FileManager.default.contents(atPath: items.path + ending) == Data("theirs".utf8), "\(ending)")
        }
    }

    @Test("A run of several entities is not forgotten for one of them, nor while it runs")
    func forgetting() async throws {
        let items = try ItemStore()
        let gate = Gate(Self.text, after: 120)
        try gate.begin(items.makeImport(gate.source, Self.direct), items, committed: 100)
        #expect { try items.manager.imports.forget(run: 1) } throws: { ($0 as? ImportError)?.code == .running }
        #expect { try items.manager.imports.forget(entity: "FeedItem") } throws: {
            ($0 as? ImportError)?.code == .running
        }
        gate.open()
        #expect(try gate.end().inserted == 50)
        let folder = try TemporaryFolder()
        let manager = try ContextManager(
            model: Model(FeedItem.self, Item.self, Maker.self, Shelf.self), store: .sqlite(folder.path("shop.sqlite")))
        // More bytes than are read to infer the layout, so that some records are committed before the failure.
        let name = String(repeating: "x", count: 1000)
        let records = (0..<1000).map { "{\"id\":\($0),\"name\":\"\(name)\"}" }.joined(separator: ",")
        var source = FeedSource(
            name: "both", bytes: Array("{\"one\":[\(records)],\"two\":[\(records)]}".utf8), piece: 64)
        source.event = (source.bytes.count * 3 / 4, .failure)
        var options = ImportOptions.batches(of: 7, onError: .stop)
        Self.direct(&options)
        let feed = StreamImport(
            into: manager, from: [source],
            routes: [.rows("FeedItem", at: ".one[]"), .objects(Item.self, at: ".two[]") { $1.name = $0["name"] }],
            options: options)
        #expect(throws: JSONError.self) { try feed.perform() }
        #expect { try manager.imports.forget(entity: "FeedItem") } throws: {
            ($0 as? ImportError)?.code == .misuse && "\($0)".contains("together with other entities")
        }
        #expect(try manager.imports.forget(run: 1))
        #expect(try manager.imports.forget(entity: "FeedItem") == 0)
        await close(manager)
        #expect(try files(folder) == ["shop.sqlite"])
    }

    @Test("More tables than SQLite attaches files are filled in one import", arguments: [true, false])
    func manyTables(_ isNew: Bool) throws {
        let folder = try TemporaryFolder()
        let names = (0..<14).map { "E\($0)" }
        let model = try Model(
            ModelDescription(
                names.map { name in
                    var entity = EntityDescription(name)
                    entity.attributes = [AttributeDescription("id", .integer64), AttributeDescription("name", .string)]
                    entity.uniquenessConstraints = [["id"]]
                    return entity
                }))
        var opening = StoreOptions()
        opening.creation = isNew ? .afterFirstImport : .whenOpened
        let path = folder.path("many.sqlite")
        let manager = try ContextManager(model: model, store: .sqlite(path), options: opening)
        let records = (0..<40).map { "{\"id\":\($0 % 30),\"name\":\"\($0)\"}" }.joined(separator: ",")
        let text = "{" + names.map { "\"\($0)\":[\(records)]" }.joined(separator: ",") + "}"
        var options = ImportOptions.batches(of: 7, onError: .stop)
        options.firstLoad = .direct
        let tally = try manager.load(.text(text), try names.map { .rows($0, at: try RecordPath(".\($0)[]")) }, options)
            .tally
        #expect(tally == [14 * 40, 14 * 30, 14 * 10, 0, 0, 0, 0])
        let connection = try Connection(.file(path))
        #expect(try connection.rows(of: "PRAGMA integrity_check") == [["ok"]])
        for name in names {
            let found = try connection.rows(
                of: "SELECT COUNT(*), MAX(\"_pk\"), SUM(\"name\" >= 30 OR \"id\" >= 10) FROM \(identifier: name)")
            #expect(found == [[30, 30, 30]], "\(name)")
        }
        #expect(try FeedStore.faults(manager.stores.stores[0]) == [])
    }
}
