import Foundation
import Testing
import TributaryConcurrency
import TributaryGraph
import TributaryJSON
import TributarySQLite
import TributaryTestSupport

import Tributary

/// Readers, writers and other imports beside an import.
@Suite struct ImportNeighbourTests {
    private static func records(_ count: Int) -> [String] { (0..<count).map { "{\"id\":\($0),\"name\":\"\($0)\"}" } }

    /// The inserted rows according to the journal, and the rows of the table, read in one transaction.
    static func look(_ connection: Connection) throws -> (told: Int, found: Int) {
        try connection.execute("BEGIN")
        defer { try? connection.execute("COMMIT") }
        let told = try connection.runs().reduce(0) { $0 + $1.summary.inserted }
        guard case .integer(let found)? = try connection.value(of: "SELECT COUNT(*) FROM \"FeedItem\"") else {
            return (told, -1)
        }
        return (told, Int(found))
    }

    @Test("A reader in another process sees only whole commits of an import")
    func aReaderInAnotherProcessSeesWholeGroups() async throws {
        let items = try ItemStore()
        let gate = Gate(Self.records(3000), after: 1500)
        let feed = items.makeImport(gate.source) { $0.batchSize = 50 }
        try gate.begin(feed, items, committed: 1000)
        async let reader = #expect(processExitsWith: .success) { [path = items.path as String] in
            var options = Connection.Options()
            options.isReadOnly = true
            let connection = try Connection(.file(path), options: options)
            var looks = 0
            while !FileManager.default.fileExists(atPath: path + "-end") {
                let (told, found) = try ImportNeighbourTests.look(connection)
                guard told == found else { exit(4) }
                looks += 1
                if looks == 10 { try Data().write(to: URL(filePath: path + "-seen")) }
            }
            exit(looks >= 10 ? 0 : 5)
        }
        // The rest is imported once the reader has read the first half several times.
        while !FileManager.default.fileExists(atPath: items.path + "-seen") { await Task.yield() }
        gate.open()
        for _ in 0..<20 { try items.store.importing { _ in } }
        #expect(try gate.end().inserted == 3000)
        try Data().write(to: URL(filePath: items.path + "-end"))
        _ = await reader
    }

    @MainActor @Test("The main context follows an import, and its own saves are not lost")
    func theMainContextSeesWholeGroups() async throws {
        let items = try ItemStore()
        let main = items.manager.mainContext
        let gate = Gate(Self.records(2000), after: 1000)
        let feed = items.makeImport(gate.source) { $0.batchSize = 50 }
        let inserted = Guarded(0)
        let watch = try main.watch(FeedItem.entityName)
        let observation = main.observeChanges { _, changes in inserted.withLock { $0 += changes.inserted.count } }
        try await Task.detached { try gate.begin(feed, items, committed: 700) }.value
        #expect(try FeedItem.count(in: main) >= 700)
        let first = try #require(try FeedItem.find(["id": 0], in: main))
        #expect(first.name == "0")
        // The main context writes as well, and what it writes is not lost.
        first.score = 1
        try main.save()
        var last = 0
        async let end = Task.detached { () throws -> ImportSummary in
            gate.open()
            return try gate.end()
        }.value
        for _ in 0..<50 {
            let count = try FeedItem.count(in: main)
            #expect(count >= last && count <= 2000)
            last = count
            await Task.yield()
        }
        #expect(try await end.tally == [2000, 2000, 0, 0, 0, 0, 0])
        #expect(try FeedItem.count(in: main) == 2000)
        for _ in 0..<1000 where inserted.withLock({ $0 }) < 2000 { await Task.yield() }
        #expect(inserted.withLock { $0 } == 2000)
        // An object that the main context holds is refreshed without a fetch.
        try await Task.detached { _ = try items.take("[{\"id\":0,\"name\":\"changed\"}]") }.value
        for _ in 0..<1000 where first.name != "changed" { await Task.yield() }
        #expect(first.name == "changed" && first.score == 1)
        withExtendedLifetime((watch, observation)) {}
    }

    @Test("Other writers get the store while an import waits for its source")
    func othersHaveTheirTurn() throws {
        let items = try ItemStore()
        try items.take(ItemStore.text(0..<10))
        let gate = Gate(Self.records(2000), after: 1000)
        try gate.begin(items.makeImport(gate.source) { $0.batchSize = 50 }, items, committed: 500)
        // The source is blocked: unless the import yields the store, these saves would wait forever.
        for number in 0..<5 {
            try items.manager.writeAndWait { context in
                let item = context.insert(FeedItem.self)
                item.id = 10_000 + number
                item.name = "between"
            }
        }
        gate.open()
        #expect(try gate.end().tally == [2000, 1990, 10, 0, 0, 0, 0])
        #expect(try items.rows().count == 2005)
        #expect(try items.faults() == [])
    }

    @Test("An import finishes though every thread of the dispatch pool is blocked")
    func anImportNeedsNoThreadOfASharedPool() async throws {
        await #expect(processExitsWith: .success) {
            // More blocks than the pool has threads, all of them waiting like contexts that save during an import.
            for _ in 0..<2000 { DispatchQueue.global().async { while true { pause() } } }
            let items = try ItemStore()
            let summary = try items.take(ItemStore.text(0..<500)) { $0.batchSize = 20 }
            exit(summary.inserted == 500 ? 0 : 1)
        }
    }

    @Test("A second importing process is refused, and the error names the first one")
    func aSecondImporterIsRefusedByName() async throws {
        let items = try ItemStore()
        let gate = Gate(Self.records(200), after: 100)
        try gate.begin(items.makeImport(gate.source) { $0.batchSize = 7 }, items, committed: 50)
        let number = ProcessInfo.processInfo.processIdentifier
        await #expect(processExitsWith: .success) { [path = items.path as String, number = number as Int32] in
            do {
                let manager = try ContextManager(model: Model(FeedItem.self), store: .sqlite(path))
                try manager.load(.text("[{\"id\":1,\"name\":\"x\"}]"), [.rows("FeedItem", at: "[]")])
                exit(4)
            } catch let error as SQLiteError {
                exit(error.code == .busy && "\(error)".contains("process \(number)") ? 0 : 5)
            }
        }
        gate.open()
        #expect(try gate.end().inserted == 200)
        #expect(try items.rows().count == 200)
    }

    @Test("Concurrent imports of overlapping feeds insert each key once")
    func manyImportsAtOnce() async throws {
        let items = try ItemStore()
        // Each id is in two of the feeds, with the same name.
        let texts = (0..<4).map { feed in ItemStore.text((0..<400).map { ($0 + feed * 200) % 800 }) }
        let books = Guarded<[ImportSummary]>([])
        let failures = Guarded<[String]>([])
        await withCheckedContinuation { continuation in
            let group = DispatchGroup()
            for text in texts {
                group.enter()
                Thread {
                    do {
                        let summary = try items.take(text) { $0.batchSize = 11 }
                        books.withLock { $0.append(summary) }
                    } catch {
                        failures.withLock { $0.append("\(error)") }
                    }
                    group.leave()
                }
                .start()
            }
            group.notify(queue: .global()) { continuation.resume() }
        }
        #expect(failures.withLock { $0 } == [])
        let all = books.withLock { $0 }
        #expect(all.allSatisfy { $0.isBalanced })
        #expect(all.reduce(0) { $0 + $1.inserted } == 800 && all.reduce(0) { $0 + $1.unchanged } == 800)
        #expect(try items.rows().count == 800)
        #expect(try items.faults() == [])
    }
}
