import Foundation
import Testing
import TributaryJSON
import TributarySQLite
import TributaryTestSupport

import Tributary

/// Files of rejects that several imports want to write.
@Suite struct ForeignRejectsTests {
    private let folder = try? TemporaryFolder()

    private func path() throws -> String { try #require(folder).path("bad.ndjson") }

    private func reject() throws -> Reject {
        var options = ReadOptions()
        options.onError = .quarantine
        let chunk = try RecordReader(from: [MemorySource("[{\"id\":x}]".utf8, name: "dump.json")], options: options)
            .next()
        return try #require(chunk?.rejects.first)
    }

    /// What was taken back before the file was made is written by nobody.
    @Test func whatIsTakenBackIsNotWritten() throws {
        let file = try RejectsFile(path: path())
        let nothing = file.hash
        try file.append(reject(), of: RejectOrigin(run: 1))
        try file.cut(to: 0, hash: nothing)
        #expect(file.length == 0 && file.hash == nothing)
        try file.sync()
        #expect(try !FileManager.default.fileExists(atPath: path()))
        try file.append(reject(), of: RejectOrigin(run: 1))
        try file.restart()
        try file.sync()
        #expect(try file.length == 0 && !FileManager.default.fileExists(atPath: path()))
    }

    /// Somebody else has made the file meanwhile: it stays, whatever is taken back then.
    @Test func aFileThatHasComeMeanwhileStays() throws {
        let file = try RejectsFile(path: path())
        let theirs = Array("{\"raw\":\"theirs\"}\n".utf8)
        _ = try #require(folder).write(theirs, to: "bad.ndjson")
        try file.append(reject(), of: RejectOrigin(run: 1))
        #expect { try file.sync() } throws: { "\($0)".contains("somebody else has made it meanwhile") }
        try file.cut(to: 0, hash: file.hash)
        try file.sync()
        #expect(try #require(folder).read("bad.ndjson") == theirs)
        // Its owner may write on.
        let other = try RejectsFile(path: path())
        #expect(other.length == theirs.count)
    }

    @Test(arguments: [
        ("users.json", "/t/users.json", true), ("./users.json", "/t/users.json", true),
        ("t/users.json", "/t/users.json", true),
        ("../t/users.json", "/x/t/users.json", true), ("/t/users.json", "/t/users.json", true), ("-", "-", true),
        ("x/users.json", "/t/users.json", false), ("/x/users.json", "/t/users.json", false),
        ("sers.json", "/t/users.json", false),
        ("/users.json", "/t/users.json", false), ("a/t/users.json", "/t/users.json", false),
    ])
    func placesOfAFile(_ path: String, _ absolute: String, _ isIt: Bool) {
        #expect(FilePlace.mayBe(path, absolute) == isIt)
    }

    /// Two imports share a path of rejects; the first one was stopped before it had any.
    @Test(arguments: [ImportOptions.Resuming.resume, .restart]) func rejectsOfAnotherImportStay(
        _ resuming: ImportOptions.Resuming
    ) throws {
        let rejects = try path()
        func quarantine(_ options: inout ImportOptions) {
            options.batchSize = 2
            options.onError = .quarantine
            options.rejects = rejects
        }
        let items = try ItemStore()
        var source = FeedSource(name: "first.json", bytes: Array(ItemStore.text(0..<40).utf8), piece: 64)
        source.event = (source.bytes.count * 3 / 4, .failure)
        #expect(throws: JSONError.self) { try items.makeImport(source, quarantine).perform() }
        let others = try ItemStore()
        let second = FeedSource(name: "second.json", bytes: Array("[{\"id\":1,\"name\":2},{\"id\":x}]".utf8), piece: 64)
        #expect(try others.makeImport(second, quarantine).perform().summary.rejected > 0)
        let before = try #require(folder).read("bad.ndjson")
        #expect(!before.isEmpty)
        source.event = nil
        #expect(throws: RejectsError.self) {
            try items.makeImport(source) {
                quarantine(&$0)
                $0.resuming = resuming
            }.perform()
        }
        #expect(try #require(folder).read("bad.ndjson") == before)
        // Out of the way, the first one goes on.
        try FileManager.default.moveItem(atPath: rejects, toPath: rejects + ".theirs")
        let books = try items.makeImport(source) {
            quarantine(&$0)
            $0.resuming = resuming
        }.perform().summary
        #expect(books.isBalanced && books.read == 40)
    }

    /// The power goes when a run stands in the journal and what the run before has left in its file is still there.
    @Test func whatAnEarlierRunHasLeftMayBeEmptiedLater() throws {
        let source = FileSource(
            try #require(folder).write("[{\"id\":1,\"name\":2},{\"id\":2,\"name\":\"b\"}]".utf8, to: "a.json"))
        let items = try ItemStore()
        func take(_ resuming: ImportOptions.Resuming) throws -> ImportSummary {
            let rejects = try path()
            return try items.makeImport(source) {
                ($0.onError, $0.rejects, $0.resuming) = (.quarantine, rejects, resuming)
            }.perform().summary
        }
        func begin() throws {
            let rejects = try path()
            try items.store.importing { connection in
                try connection.transaction {
                    let identity = try #require(Journal.entries(on: connection).first?.identity)
                    let start = try Journal.begin(
                        identity, sources: [source], resuming: .again, rejects: rejects, on: connection)
                    guard case .fresh(var journal, let abandoned) = start else { return }
                    try journal.takeOver(RejectsFile(path: rejects), from: abandoned, on: connection)
                }
            }
        }
        #expect(try take(.resume).rejected == 1)
        let folder = try #require(folder)
        let before = try folder.read("bad.ndjson")
        for _ in 0..<2 { try begin() }
        #expect(try folder.read("bad.ndjson") == before)
        #expect(try take(.again).rejected == 1)
        let lines = try folder.read("bad.ndjson")
        #expect(String(decoding: lines, as: UTF8.self).hasPrefix("{\"run\":4,") && lines.count == before.count)
        // What somebody has added is not thrown away.
        try begin()
        _ = try folder.write(lines + lines, to: "bad.ndjson")
        #expect(throws: RejectsError.self) { try take(.again) }
        #expect(try folder.read("bad.ndjson") == lines + lines)
        // Nor what nobody would write again.
        _ = try folder.write(lines, to: "bad.ndjson")
        _ = try folder.write("[]".utf8, to: "a.json")
        #expect(throws: RejectsError.self) { try take(.again) }
        #expect(try folder.read("bad.ndjson") == lines)
    }
}
