import Foundation
import Testing
import TributaryGraph
import TributaryJSON
import TributarySQLite
import TributaryTestSupport

import Tributary

/// First loads, which defer indexes and possible duplicates, while saves or other imports interrupt them.
@Suite struct FirstLoadTests {
    /// Records with repeated ids, each with a name of its own.
    private static let text = (0..<200).map { "{\"id\":\($0 % 50),\"name\":\"\($0)\"}" }
    private static let expected = (0..<50).map { "\($0 + 1) \($0) \($0 + 150)" }

    /// Runs `body` while an import of these records is blocked in the middle of its source.
    private func interrupt(_ items: ItemStore, _ body: () throws -> Void) throws -> ImportSummary {
        let gate = Gate(Self.text, after: 120)
        try gate.begin(items.makeImport(gate.source) { $0.batchSize = 7 }, items, committed: 100)
        do {
            defer { gate.open() }
            try body()
        }
        return try gate.end()
    }

    @Test("A save during a first load builds the missing indexes, and the import finishes")
    func aSaveEndsIt() throws {
        let items = try ItemStore()
        let books = try interrupt(items) {
            #expect(try items.store.read { try !DeferredIndexes.names(on: $0).isEmpty })
            try items.manager.writeAndWait { context in
                let item = context.insert(FeedItem.self)
                item.id = 1000
                item.name = "from elsewhere"
            }
            #expect(try items.store.read { try DeferredIndexes.names(on: $0).isEmpty })
        }
        #expect(books.tally == [200, 50, 150, 0, 0, 0, 0])
        #expect(
            try items.rows().filter { !$0.contains("elsewhere") }.map(\.withoutNumber)
                == Self.expected.map(\.withoutNumber))
        #expect(try items.faults() == [])
    }

    @Test("An empty feed leaves the table and its indexes as they were", arguments: [false, true])
    func anEmptyFeedLeavesTheTableAsItIs(_ setsObjects: Bool) throws {
        let items = try ItemStore()
        func schema() throws -> [String] {
            // Other tables are left out, since the first import creates that of the journal.
            let query: SQLFragment =
                "SELECT name FROM sqlite_master WHERE tbl_name = 'FeedItem' OR name = '_duplicate' ORDER BY name"
            return try items.store.read { try $0.rows(of: query) }.map { "\($0)" }
        }
        let before = try schema()
        let feed = StreamImport(
            into: items.manager, from: [.text("[]")],
            routes: [
                setsObjects
                    ? .objects(FeedItem.self, at: "[]") { record, item in item.name = record["name"] }
                    : .rows("FeedItem", at: "[]")
            ])
        let books = try feed.perform().summary
        #expect(books.tally == [0, 0, 0, 0, 0, 0, 0])
        #expect(try schema() == before)
        #expect(try items.store.read { try DeferredIndexes.names(on: $0).isEmpty })
    }

    @Test("A save during a first load may change or delete objects with keys of the feed")
    func aSaveMayHaveAKeyOfTheFeed() throws {
        let items = try ItemStore()
        let books = try interrupt(items) {
            try items.manager.writeAndWait { context in
                let item = try #require(try FeedItem.find(["id": 7], in: context))
                item.name = "from elsewhere"
                try #require(try FeedItem.find(["id": 8], in: context)).delete()
            }
        }
        #expect(books.isBalanced)
        let names = try items.rows().map(\.withoutNumber).sorted()
        #expect(names == Self.expected.map(\.withoutNumber).sorted())
        #expect(try items.faults() == [])
    }

    @Test("Another import into the table during a first load loses no record")
    func anotherImportEndsIt() throws {
        let items = try ItemStore()
        let others = (20..<80).map { "{\"id\":\($0),\"name\":\"other\"}" }.joined(separator: ",")
        let books = try interrupt(items) {
            let books = try items.take("[\(others)]") { $0.batchSize = 9 }
            #expect(books.tally == [60, 30, 30, 0, 0, 0, 0])
        }
        #expect(books.isBalanced && books.inserted + books.updated == 200)
        let names = try items.rows().map(\.withoutNumber).sorted()
        #expect(names == (Self.expected.map(\.withoutNumber) + (50..<80).map { "\($0) other" }).sorted())
        #expect(try items.faults() == [])
    }

    @Test("A running import refuses a second run that would resume or restart it")
    func itIsBegunOnceMoreMeanwhile() throws {
        let items = try ItemStore()
        let same = FeedSource(name: "gate", bytes: Array("[\(Self.text.joined(separator: ","))]".utf8), piece: 64)
        let books = try interrupt(items) {
            for resuming in [ImportOptions.Resuming.resume, .restart, .again] {
                #expect {
                    try items.makeImport(same) {
                        $0.batchSize = 7
                        $0.resuming = resuming
                    }.perform()
                } throws: { ($0 as? ImportError)?.code == .running }
            }
            // A run that neither resumes nor replaces another one is allowed.
            let other = try items.makeImport(same) { $0.batchSize = 7 }.perform().summary
            #expect(other.isBalanced && other.read == 200, "\(other)")
        }
        #expect(books.isBalanced && books.read == 200, "\(books)")
        #expect(try items.rows().map(\.withoutNumber).sorted() == Self.expected.map(\.withoutNumber).sorted())
        #expect(try items.faults() == [])
        // Both runs have ended, so a new one is allowed.
        #expect(try items.makeImport(same) { $0.resuming = .again }.perform().summary.isBalanced)
    }

    @Test(
        "An interrupted first load ends correctly, however it is started again",
        arguments: [ImportOptions.Resuming.never, .restart, .resume])
    func itIsStoppedAndBegun(_ resuming: ImportOptions.Resuming) throws {
        let items = try ItemStore()
        var source = FeedSource(name: "feed", bytes: Array("[\(Self.text.joined(separator: ","))]".utf8), piece: 64)
        source.event = (source.bytes.count * 3 / 4, .failure)
        #expect(throws: JSONError.self) { try items.makeImport(source) { $0.batchSize = 7 }.perform() }
        source.event = nil
        let books = try items.makeImport(source) { $0.resuming = resuming }.perform().summary
        #expect(books.isBalanced && books.read == 200, "\(books)")
        #expect(try items.rows() == Self.expected)
        #expect(try items.faults() == [])
    }

    @Test("An interrupted first load resumes correctly after another import")
    func itIsStoppedAndAnotherImportIsDone() throws {
        let items = try ItemStore()
        var source = FeedSource(name: "feed", bytes: Array("[\(Self.text.joined(separator: ","))]".utf8), piece: 64)
        source.event = (source.bytes.count * 3 / 4, .failure)
        #expect(throws: JSONError.self) { try items.makeImport(source) { $0.batchSize = 7 }.perform() }
        let other = try items.take("[{\"id\":3,\"name\":\"other\"},{\"id\":300,\"name\":\"other\"}]")
        #expect(other.tally == [2, 1, 1, 0, 0, 0, 0])
        source.event = nil
        let books = try items.makeImport(source) { $0.resuming = .resume }.perform().summary
        #expect(books.isBalanced && books.read == 200, "\(books)")
        #expect(
            try items.rows().map(\.withoutNumber).sorted()
                == (Self.expected.map(\.withoutNumber) + ["300 other"]).sorted())
        #expect(try items.faults() == [])
    }
}
