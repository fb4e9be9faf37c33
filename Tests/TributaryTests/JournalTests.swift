import Foundation
import Testing
import TributaryGraph
import TributaryJSON
import TributarySQLite
import TributaryTestSupport

import Tributary

/// The decision of the journal whether an import starts, resumes or is already done.
@Suite struct JournalTests {
    /// A database with the metadata of a store.
    private static func makeConnection() throws -> Connection {
        let connection = try Connection(.memory)
        try connection.execute("CREATE TABLE \"_metadata\" (\"key\" TEXT PRIMARY KEY, \"value\" TEXT)")
        return connection
    }

    private let folder = try? TemporaryFolder()
    private static let lines = (0..<9).map { "{\"id\":\($0)}\n" }.joined()

    /// The state of the import when it is started again.
    enum Past: CaseIterable { case none, begun, running, failed, stopped, finished, publishing }
    /// The state of its source at that time.
    enum Source: CaseIterable { case same, grown, changed }
    enum Outcome: Equatable { case new, abandons, resumes, isDone, refused }

    private func source(_ text: String = lines) throws -> FileSource {
        FileSource(try #require(folder).write(text.utf8, to: "f.ndjson"))
    }

    private func identity(_ source: any ByteSource, limit: Int? = nil) -> ImportIdentity {
        var options = ImportOptions()
        options.limit = limit
        return ImportIdentity(
            sources: [source], routes: [.init(entity: "Item", path: "[]", key: ["id"])], options: options, model: "m")
    }

    private func begin(
        _ source: any ByteSource, _ resuming: ImportOptions.Resuming, _ connection: Connection, limit: Int? = nil
    ) throws -> Journal.Start {
        try Journal.begin(
            identity(source, limit: limit), sources: [source], resuming: resuming, on: connection,
            now: { Date(timeIntervalSince1970: 1000) })
    }

    /// Records a run in a state, and then changes its source.
    private func prepare(_ past: Past, _ fate: Source, _ connection: Connection) throws -> FileSource {
        let source = try source()
        if past != .none {
            guard case .fresh(var journal, nil) = try begin(source, .never, connection) else {
                throw StoreStub.wrong
            }
            if past != .begun {
                var options = ReadOptions()
                options.chunkRecords = 4
                options.digests = true
                let reader = RecordReader(from: [source], options: options)
                let checkpoint = try #require(try reader.next()).checkpoint
                try journal.advance(to: checkpoint, digest: reader.digest(before: checkpoint), [source])
                if past == .finished {
                    while try reader.next() != nil {}
                    journal.finishSources(before: 1, reader, ImportOptions())
                    #expect(journal.entry.sources[0].isWhole == true)
                }
                journal.entry.summary.read = 4
                switch past {
                case .failed: (journal.entry.state, journal.entry.failure) = (.failed, "the disk is full")
                case .stopped: journal.entry.state = .stopped
                case .finished: (journal.entry.state, journal.entry.phase) = (.finished, .done)
                case .publishing: journal.entry.phase = .publishing
                default: break
                }
                try journal.commit(on: connection)
            }
        }
        switch fate {
        case .same: break
        case .grown: _ = try self.source(Self.lines + "{\"id\":9}\n")
        case .changed: _ = try self.source("{\"id\":8}\n" + Self.lines)
        }
        return source
    }

    private enum StoreStub: Error { case wrong }

    private static let table: [(Past, Source, ImportOptions.Resuming, Outcome)] = {
        var rows: [(Past, Source, ImportOptions.Resuming, Outcome)] = []
        for fate in Source.allCases {
            for wish in [ImportOptions.Resuming.never, .resume, .again, .restart] {
                rows.append((.none, fate, wish, .new))
                rows.append((.begun, fate, wish, .abandons))
                for past in [Past.running, .failed, .stopped] {
                    let resumes = wish == .resume || wish == .again
                    rows.append((past, fate, wish, !resumes ? .abandons : fate == .changed ? .refused : .resumes))
                }
                let isDone = fate == .same && (wish == .resume || wish == .restart)
                rows.append((.finished, fate, wish, isDone ? .isDone : .new))
                let builds = wish == .resume || wish == .again
                rows.append((.publishing, fate, wish, !builds ? .abandons : fate == .same ? .resumes : .refused))
            }
        }
        return rows
    }()

    @Test("The past of an import and of its source decide whether it starts or resumes")
    func decisions() throws {
        for (past, fate, wish, expected) in Self.table {
            let connection = try Self.makeConnection()
            let source = try prepare(past, fate, connection)
            let name = "\(past), \(fate), \(wish)"
            do {
                switch try begin(source, wish, connection) {
                case .fresh(let journal, let earlier):
                    let abandoned = earlier.map { $0.state.isUnfinished } ?? false
                    #expect(expected == (abandoned ? .abandons : .new), "\(name)")
                    #expect(journal.entry.run == (past == .none ? 1 : 2) && journal.entry.checkpoint == nil, "\(name)")
                    #expect(journal.entry.summary.resumedAt == nil && journal.entry.summary.run == journal.entry.run)
                    let states = try connection.runs().map(\.state)
                    #expect(states.last == .running && states.contains(.abandoned) == abandoned, "\(name)")
                case .resumed(let journal):
                    #expect(expected == .resumes, "\(name)")
                    #expect(journal.entry.run == 1 && journal.entry.checkpoint?.record == 4, "\(name)")
                    #expect(journal.entry.summary.resumedAt == 4 && journal.entry.state == .running, "\(name)")
                    #expect(journal.entry.failure == nil)
                    #expect(journal.entry.phase == (past == .publishing ? .publishing : .load))
                    #expect(journal.entry.sources[0].size == source.byteCount)
                case .finished(let entry):
                    #expect(expected == .isDone, "\(name)")
                    #expect(entry.summary.read == 4 && entry.run == 1)
                }
            } catch let error as ImportError {
                #expect(expected == .refused && error.code == .sourceChanged, "\(name): \(error)")
                #expect(error.remedy == .restart && error.reason.contains("after record 4"))
            }
        }
        #expect(Self.table.count == 84)
    }

    @Test("An import with other options is a run of its own")
    func anotherImportIsAnotherRun() throws {
        let connection = try Self.makeConnection()
        let source = try prepare(.finished, .same, connection)
        guard case .fresh(let journal, nil) = try begin(source, .resume, connection, limit: 3) else {
            return #expect(Bool(false))
        }
        #expect(journal.entry.run == 2)
        guard case .finished = try begin(source, .resume, connection) else { return #expect(Bool(false)) }
        #expect(try connection.runs().filter(\.state.isUnfinished).map(\.run) == [2])
    }

    @Test("Every setting that changes the result changes an import's identity")
    func identitiesTellImportsApart() throws {
        let source = try source()
        let one = identity(source)
        #expect(one == identity(source) && one.hash == identity(source).hash && one.hash.count == 32)
        #expect(one.sources == [source.path])
        var others = [one]
        for change in [
            { $0.mode = .insert }, { $0.limit = 1 }, { $0.model = "n" }, { $0.mapping = "x" },
            { $0.reading.limits.depth = 7 },
            { $0.routes[0].key = nil }, { $0.routes[0].path = nil }, { $0.routes[0].entity = "J" },
            { $0.format = "json" },
            { $0.sources.append("x") }, { $0.memberNames[0] = "k" },
        ] as [(inout ImportIdentity) -> Void] {
            var other = one
            change(&other)
            others.append(other)
        }
        #expect(Set(others.map(\.hash)).count == 12 && Set(others.map(\.text)).count == 12)
        let here = FileSource("x.json")
        #expect(
            identity(here).sources[0].hasPrefix("/") && identity(here).hash == identity(FileSource("./x.json")).hash)
    }

    @Test("An import resumes only if the sources that it has read are unchanged")
    func ofSeveralSourcesThoseThatWereReadMustStay() throws {
        let folder = try #require(folder)
        let sources = try ["a", "b", "c"].map { FileSource(try folder.write(Self.lines.utf8, to: $0)) }
        let identity = ImportIdentity(sources: sources, routes: [], options: ImportOptions(), model: "")
        for (changed, expected) in [("a", false), ("b", true), ("c", true)] {
            let connection = try Self.makeConnection()
            for (index, name) in ["a", "b", "c"].enumerated() where sources[index].byteCount != 81 {
                _ = try folder.write(Self.lines.utf8, to: name)
            }
            guard
                case .fresh(var journal, _) = try Journal.begin(
                    identity, sources: sources, resuming: .resume, on: connection)
            else { return #expect(Bool(false)) }
            let reader = RecordReader(from: sources)
            while let chunk = try reader.next(), chunk.source < 2 {
                try journal.advance(to: chunk.checkpoint, digest: nil, sources)
            }
            #expect(journal.entry.checkpoint?.source == 1)
            try journal.commit(on: connection)
            _ = try folder.write((Self.lines + "{}\n").utf8, to: changed)
            let start = try? Journal.begin(identity, sources: sources, resuming: .resume, on: connection)
            if case .resumed = start { #expect(expected, "\(changed)") } else { #expect(!expected, "\(changed)") }
        }
    }

    @Test("The journal of a store is empty until its first run is committed")
    func aStoreWithoutRunsHasNoTable() throws {
        let folder = try #require(folder)
        let path = folder.path("s.sqlite")
        var entity = EntityDescription("Item")
        entity.attributes = [AttributeDescription("id", .integer64)]
        let model = try Model(ModelDescription([entity]))
        let store = try SQLiteStore(model, at: .sqlite(path))
        #expect(try store.read { try $0.runs() }.isEmpty)
        #expect(try store.read { try RunTable.nextRun(on: $0) } == 1)
        let source = try source()
        // A run that is rolled back leaves no row.
        try? store.write { connection in
            try connection.transaction {
                _ = try begin(source, .resume, connection)
                throw StoreStub.wrong
            }
        }
        #expect(try store.read { try $0.runs() }.isEmpty)
        _ = try store.write { connection in try connection.transaction { try begin(source, .resume, connection) } }
        #expect(try store.read { try $0.runs() }.map(\.run) == [1])
        // The journal is not part of the model, so the store opens with it as before.
        var options = StoreOptions()
        options.isReadOnly = true
        let reader = try SQLiteStore(model, at: .sqlite(path), options: options)
        #expect(try reader.read { try $0.runs() }.map(\.started.timeIntervalSince1970) == [1000])
    }

    @Test("Impossible values in a row of the journal are an error, not a trap")
    func rowsThatSayWhatCannotBeAreRefused() throws {
        let connection = try Self.makeConnection()
        _ = try prepare(.stopped, .same, connection)
        let entry = try #require(try connection.runs().first)
        let row = try #require(try RunTable.all(on: connection).first)
        let changes: [(inout JournalEntry) -> Void] = [
            { $0.run = 7 }, { $0.sources = [] }, { $0.checkpoint?.source = 1 }, { $0.checkpoint?.source = -1 },
            { $0.checkpoint?.byte = -1 }, { $0.checkpoint?.record = .max }, { $0.sources[0].head?.length = -1 },
            { $0.sources[0].head?.length = .max }, { $0.sources[0].head?.start = .max },
            { $0.sources[0].head?.start = -1 },
            { $0.summary.read = .max }, { $0.summary.bytes = -1 }, { $0.records = .min }, { $0.identity.limit = 99 },
            { $0.earlierBytes = .min },
        ]
        for (index, change) in changes.enumerated() {
            var hostile = entry
            change(&hostile)
            let encoder = JSONEncoder()
            encoder.dateEncodingStrategy = .secondsSince1970
            let payload = String(decoding: try encoder.encode(hostile), as: UTF8.self)
            try RunTable.write(
                .init(run: row.run, identity: row.identity, state: row.state, payload: payload), on: connection)
            let error = #expect(throws: ImportError.self, "\(index)") { try connection.runs() }
            #expect(error?.code == .journal)
        }
        try RunTable.write(row, on: connection)
        #expect(try connection.runs().count == 1)
        try connection.execute("UPDATE \"_run\" SET \"run\" = \(Int64.max)")
        let error = #expect(throws: SQLiteError.self) { try RunTable.nextRun(on: connection) }
        #expect(error?.hint == "delete the row with the greatest run number")
    }

    @Test("An unreadable row of the journal is an error that names its run")
    func aRowThatCannotBeReadSaysSo() throws {
        let connection = try Self.makeConnection()
        try RunTable.write(.init(run: 4, identity: "x", state: "running", payload: "{}"), on: connection)
        #expect { try connection.runs() } throws: {
            "\($0)".contains("run 4 of the journal cannot be read")
        }
    }
}
