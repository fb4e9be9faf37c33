import Foundation
import Testing
import TributaryConcurrency
import TributaryGraph
import TributaryJSON
import TributarySQLite
import TributaryTestSupport

import Tributary

/// Those who read, write or import beside an import.
@Suite struct ImportNeighbourTests {
    private static func records(_ count: Int) -> [String] { (0..<count).map { "{\"id\":\($0),\"name\":\"\($0)\"}" } }

    /// What the journal says was inserted, and what is there, in one transaction that reads.
    static func look(_ connection: Connection) throws -> (told: Int, found: Int) {
        try connection.execute("BEGIN")
        defer { try? connection.execute("COMMIT") }
        let told = try Journal.entries(on: connection).reduce(0) { $0 + $1.summary.inserted }
        guard case .integer(let found)? = try connection.value(of: "SELECT COUNT(*) FROM \"FeedItem\"") else {
            return (told, -1)
        }
        return (told, Int(found))
    }

    @Test func aReaderInAnotherProcessSeesWholeGroups() async throws {
        let items = try ItemStore()
        let gate = Gate(Self.records(3000), behind: 1500)
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
        // The reader has seen half of it; then it sees the rest come.
        while !FileManager.default.fileExists(atPath: items.path + "-seen") { await Task.yield() }
        gate.open()
        for _ in 0..<20 { try items.store.importing { _, _ in } }
        #expect(try gate.end().inserted == 3000)
        try Data().write(to: URL(filePath: items.path + "-end"))
        _ = await reader
    }

    @Test func othersHaveTheirTurn() throws {
        let items = try ItemStore()
        try items.take(ItemStore.text(0..<10))
        let gate = Gate(Self.records(2000), behind: 1000)
        try gate.begin(items.makeImport(gate.source) { $0.batchSize = 50 }, items, committed: 500)
        // The gate is closed: without a turn of its own this would wait for ever.
        for number in 0..<5 {
            try items.manager.writeAndWait { context in
                let item = context.insert(FeedItem.self)
                item.id = 10_000 + number
                item.name = "between"
            }
        }
        gate.open()
        #expect(try gate.end().counts == [2000, 1990, 10, 0, 0, 0, 0])
        #expect(try items.rows().count == 2005)
        #expect(try items.faults() == [])
    }

    @Test func aSecondImporterIsRefusedByName() async throws {
        let items = try ItemStore()
        let gate = Gate(Self.records(200), behind: 100)
        try gate.begin(items.makeImport(gate.source) { $0.batchSize = 7 }, items, committed: 50)
        let number = ProcessInfo.processInfo.processIdentifier
        await #expect(processExitsWith: .success) { [path = items.path as String, number = number as Int32] in
            do {
                let manager = try ContextManager(model: Model(FeedItem.self), store: .sqlite(path))
                let feed = StreamImport(into: manager, from: [.text("[{\"id\":1,\"name\":\"x\"}]")])
                feed.add(.rows("FeedItem", at: "[]"))
                _ = try feed.perform()
                exit(4)
            } catch let error as SQLiteError {
                exit(error.code == .busy && "\(error)".contains("process \(number)") ? 0 : 5)
            }
        }
        gate.open()
        #expect(try gate.end().inserted == 200)
        #expect(try items.rows().count == 200)
    }

    @Test func manyImportsAtOnce() async throws {
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
