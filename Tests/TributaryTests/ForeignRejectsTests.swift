import Foundation
import Testing
import TributaryJSON
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
}
