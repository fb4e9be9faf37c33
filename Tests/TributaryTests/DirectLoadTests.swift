import Foundation
import Testing
import TributaryConcurrency
import TributaryGraph
import TributaryJSON
import TributarySQLite
import TributaryTestSupport

import Tributary

/// Imports that fill an empty table in a file beside the database, while others use the database.
@Suite struct DirectLoadTests {
    /// Records with repeated ids, each with a name of its own.
    private static let text = (0..<200).map { "{\"id\":\($0 % 50),\"name\":\"\($0)\"}" }
    private static let expected = (0..<50).map { "\($0 + 1) \($0) \($0 + 150)" }
    private static let tally = [200, 50, 150, 0, 0, 0, 0]

    private static func direct(_ options: inout ImportOptions) {
        options.firstLoad = .direct
        options.batchSize = 7
    }

    /// Runs `body` while an import of these records is blocked in the middle of its source.
    private func interrupt(_ items: ItemStore, _ body: () throws -> Void) throws -> ImportSummary {
        let gate = Gate(Self.text, after: 120)
        try gate.begin(items.makeImport(gate.source, Self.direct), items, committed: 100)
        do {
            defer { gate.open() }
            try body()
        }
        return try gate.end()
    }

    /// A feed that fails after three quarters.
    private static func failing() -> FeedSource {
        var source = FeedSource(name: "feed", bytes: Array("[\(text.joined(separator: ","))]".utf8), piece: 64)
        source.event = (source.bytes.count * 3 / 4, .failure)
        return source
    }

    @Test("Readers see the empty table until the load is published, and then all rows")
    func readersSeeNothingOrAll() throws {
        let items = try ItemStore()
        let reloads = Guarded<[Bool]>([])
        let observation = items.manager.observeSaves { saved in reloads.withLock { $0.append(saved.isReload) } }
        let books = try interrupt(items) {
            #expect(try items.rows() == [])
            #expect(FileManager.default.fileExists(atPath: items.path + "-load"))
            let entry = try #require(try items.manager.imports.entries().last)
            #expect(entry.summary.read >= 100 && entry.state == .running)
        }
        #expect(books.tally == Self.tally)
        #expect(try items.rows() == Self.expected)
        #expect(try items.faults() == [])
        #expect(reloads.withLock { $0 } == [true])
        withExtendedLifetime(observation) {}
    }

    @Test("A save into a table that is loaded is refused, and the import finishes")
    func savesAreRefused() throws {
        let items = try ItemStore()
        let books = try interrupt(items) {
            let error = #expect(throws: (any Error).self) {
                try items.manager.writeAndWait { context in
                    let item = context.insert(FeedItem.self)
                    item.id = 1000
                    item.name = "from elsewhere"
                }
            }
            #expect("\(error as Any)".contains("an import is loading this table"), "\(error as Any)")
        }
        #expect(books.tally == Self.tally)
        #expect(try items.rows() == Self.expected)
        // Then it is allowed again.
        try items.manager.writeAndWait { context in
            let item = context.insert(FeedItem.self)
            item.id = 1000
            item.name = "from elsewhere"
        }
    }

    @Test("Another import into a table that is loaded is refused")
    func anotherImportIsRefused() throws {
        let items = try ItemStore()
        let books = try interrupt(items) {
            for way in [ImportOptions.FirstLoad.direct, .inGroups] {
                #expect {
                    try items.take("[{\"id\":1,\"name\":\"other\"}]") { $0.firstLoad = way }
                } throws: {
                    ($0 as? StoreError)?.code == .inUse && "\($0)".contains("run 1 has begun to load FeedItem")
                }
            }
        }
        #expect(books.tally == Self.tally)
        #expect(try items.rows() == Self.expected)
    }

    @Test("Rows that another program adds during a load are found before it is published, and nothing is lost")
    func anotherProgramAddsRows() throws {
        let items = try ItemStore()
        #expect {
            _ = try interrupt(items) {
                let other = try Connection(.file(items.path))
                try other.execute("INSERT INTO \"FeedItem\" (\"id\", \"name\") VALUES (7, 'other')")
            }
        } throws: { ($0 as? StoreError)?.code == .inUse && "\($0)".contains("added rows to FeedItem") }
        try items.manager.writeAndWait { context in for item in try FeedItem.all(in: context) { item.delete() } }
        let source = Gate(Self.text, after: 120).source
        var plain = source
        plain.event = nil
        let books = try items.makeImport(plain) {
            Self.direct(&$0)
            $0.resuming = .resume
        }.perform().summary
        #expect(books.tally == Self.tally)
        #expect(try items.rows() == Self.expected)
        #expect(try items.faults() == [])
    }

    @Test(
        "An interrupted load ends correctly, however it is started again",
        arguments: [ImportOptions.Resuming.never, .restart, .resume], [true, false])
    func itIsStoppedAndBegun(_ resuming: ImportOptions.Resuming, _ isDirect: Bool) throws {
        let items = try ItemStore()
        var source = Self.failing()
        #expect(throws: JSONError.self) { try items.makeImport(source, Self.direct).perform() }
        #expect(try items.rows() == [])
        source.event = nil
        // A load that has begun resumes as a load.
        let books = try items.makeImport(source) {
            if isDirect { Self.direct(&$0) }
            $0.resuming = resuming
        }.perform().summary
        #expect(books.tally == Self.tally)
        #expect(try items.rows().map(\.withoutNumber) == Self.expected.map(\.withoutNumber))
        #expect(try items.faults() == [])
    }

    @Test(
        "A load that has compared keys in little memory resumes in more, and the other way round", arguments: [64, nil])
    func memoryChanges(_ first: Int?) throws {
        let items = try ItemStore()
        let text = (0..<600).map { "{\"id\":\($0 % 250),\"name\":\"\($0)\"}" }
        var source = FeedSource(name: "feed", bytes: Array("[\(text.joined(separator: ","))]".utf8), piece: 64)
        source.event = (source.bytes.count * 3 / 4, .failure)
        func feed(_ bytes: Int?) -> StreamImport {
            items.makeImport(source) {
                Self.direct(&$0)
                $0.resuming = .resume
                $0.loadBytes = bytes
            }
        }
        #expect(throws: JSONError.self) { try feed(first).perform() }
        source.event = nil
        let books = try feed(first == nil ? 64 : nil).perform().summary
        #expect(books.tally == [600, 250, 350, 0, 0, 0, 0])
        #expect(try items.rows() == (0..<250).map { "\($0 + 1) \($0) \($0 < 100 ? $0 + 500 : $0 + 250)" })
        #expect(try items.faults() == [])
    }

    @Test("A load that is forgotten leaves no file, and another import may begin")
    func itIsForgotten() throws {
        let items = try ItemStore()
        #expect(throws: JSONError.self) { try items.makeImport(Self.failing(), Self.direct).perform() }
        #expect(throws: StoreError.self) { try items.take("[{\"id\":3,\"name\":\"other\"}]") }
        #expect(try items.manager.imports.forget(run: 1))
        #expect(!FileManager.default.fileExists(atPath: items.path + "-load"))
        let other = try items.take("[{\"id\":3,\"name\":\"other\"}]")
        #expect(other.inserted == 1)
        #expect(try items.faults() == [])
    }

    @Test("A file of another program in the place of a load is refused, and stays", arguments: [true, false])
    func aForeignFileIsRefused(_ isLink: Bool) throws {
        let items = try ItemStore()
        let place = items.path + "-load"
        if isLink {
            try FileManager.default.createSymbolicLink(atPath: place, withDestinationPath: items.folder.path("nowhere"))
        } else {
            try Data("mine".utf8).write(to: URL(filePath: place))
        }
        for _ in 0..<2 {
            #expect {
                try items.take("[{\"id\":3,\"name\":\"a\"}]", Self.direct)
            } throws: { ($0 as? StoreError)?.code == .foreign }
        }
        #expect(isLink || FileManager.default.contents(atPath: place) == Data("mine".utf8))
        #expect(!FileManager.default.fileExists(atPath: items.folder.path("nowhere")))
        let books = try items.take("[{\"id\":3,\"name\":\"a\"}]") {
            Self.direct(&$0)
            $0.firstLoad = .inGroups
        }
        #expect(books.inserted == 1)
    }

    @Test("A load whose file was damaged or removed is refused, and can be restarted", arguments: [true, false])
    func aDamagedFileIsRefused(_ isRemoved: Bool) throws {
        let items = try ItemStore()
        var source = Self.failing()
        #expect(throws: JSONError.self) { try items.makeImport(source, Self.direct).perform() }
        let place = items.path + "-load"
        if isRemoved {
            try FileManager.default.removeItem(atPath: place)
        } else {
            truncate(place, 8192)
        }
        source.event = nil
        func take(_ resuming: ImportOptions.Resuming) throws -> ImportSummary {
            try items.makeImport(source) {
                Self.direct(&$0)
                $0.resuming = resuming
            }.perform().summary
        }
        #expect(throws: (any Error).self) { try take(.resume) }
        #expect(try items.rows() == [])
        #expect(try take(.restart).tally == Self.tally)
        #expect(try items.rows().map(\.withoutNumber) == Self.expected.map(\.withoutNumber))
        #expect(try items.faults() == [])
    }
}
