import Foundation
import Testing
import TributarySQLite
import TributaryTestSupport

/// The files that a command writes: each replaces only one of its kind, as a whole, and nothing that is needed.
@Suite("Files that a command writes")
struct OutputFilesTests {
    private let world: ImportWorld
    private let source: String
    private let rejects: String

    init() throws {
        world = try ImportWorld()
        source = try world.write("{\"id\":1}\n{\"id\":x}\n{\"id\":2}\n", "users.ndjson")
        rejects = world.folder.path("bad.ndjson")
    }

    private func load(_ words: [String]) throws -> Tool.Outcome {
        try Tool.tributary.run(["import", world.database, source, "--key", "id"] + words)
    }

    private var files: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: world.folder.path("")).sorted() }
    }

    @Test(
        "Rejects of a dry run, of a refused copy and of a lost database are replaced by the same import",
        arguments: ["--dry-run", "--staged --expect-min 9", ""])
    func rejectsThatNoDatabaseHas(first: String) throws {
        let earlier = try load(["--rejects", rejects] + first.split(separator: " ").map(String.init))
        #expect(earlier.code != 0 && FileManager.default.fileExists(atPath: rejects), "\(earlier.error)")
        // A process may be killed after it has written the rejects and before its database gets its name.
        if first.isEmpty { try FileManager.default.removeItem(atPath: world.database) }
        let edited = String(decoding: try world.folder.read("bad.ndjson"), as: UTF8.self)
            .replacing(#"{\"id\":x}"#, with: #"{\"id\":3}"#)
        _ = try world.write(edited, "edited.ndjson")
        try load(["--rejects", world.folder.path("edited.ndjson")]).expect(1, error: "it holds edited rejects")
        #expect(try world.folder.read("edited.ndjson") == Array(edited.utf8))
        try load(["--rejects", rejects]).expect(3)
        #expect(try world.values("id", of: "users").count == 2)
        #expect(try world.folder.read("bad.ndjson") == Array(Tool.tributary.run(["rejects", world.database]).output))
        // Rejects of another source belong to another database.
        let other = try world.write("{\"id\":y}\n", "other.ndjson")
        let words = ["import", world.folder.path("b.sqlite"), other, "--table", "t", "--rejects", rejects]
        try Tool.tributary.run(words).expect(1)
        #expect(try files == ["app.sqlite", "bad.ndjson", "edited.ndjson", "other.ndjson", "users.ndjson"])
    }

    @Test(
        "A file of changes replaces nothing but a file of changes",
        arguments: ["notes.txt", "users.ndjson", "app.sqlite", "app.sqlite-wal", "bad.ndjson", "folder", "status.json"])
    func changesReplaceNothingElse(name: String) throws {
        _ = try world.write("mine\n", "notes.txt")
        try FileManager.default.createDirectory(atPath: world.folder.path("folder"), withIntermediateDirectories: true)
        try load(["--limit", "1"]).expect(0)
        _ = try world.folder.write(
            try Tool.tributary.run(["status", world.database, "--json"]).output, to: "status.json")
        let path = world.folder.path(name)
        let before = try? world.folder.read(name)
        let outcome = try load(["--changes", path, "--rejects", rejects])
        #expect(outcome.code == 1 || outcome.code == 64, "\(outcome.error)")
        #expect(outcome.error.contains("choose another"), "\(outcome.error)")
        #expect((try? world.folder.read(name)) == before)
        #expect(try world.values("id", of: "users") == [1])
    }

    @Test("A file of changes is replaced by that of a later run, and written again if it was lost")
    func changesAgain() throws {
        let path = world.folder.path("changes.ndjson")
        func changes() throws -> [Substring] {
            String(decoding: try world.folder.read("changes.ndjson"), as: UTF8.self).split(separator: "\n")
        }
        try load(["--changes", path, "--on-error", "skip"]).expect(3)
        #expect(try changes().count == 2 && changes()[0].hasPrefix(#"{"run":1,"table":"users","change":"inserted""#))
        _ = try world.write("{\"id\":1}\n{\"id\":2,\"n\":5}\n", "users.ndjson")
        try load(["--changes", path]).expect(0)
        #expect(try changes().map { $0.hasPrefix(#"{"run":2,"table":"users","change":"updated""#) } == [true])
        let last = try world.folder.read("changes.ndjson")
        try FileManager.default.removeItem(atPath: path)
        try load(["--changes", path]).expect(text: "already imported")
        #expect(try world.folder.read("changes.ndjson") == last)
    }

    @Test("A link stays a link, permissions stay, and what a killed process has left goes")
    func replacing() throws {
        let target = try world.write("", "target")
        try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: target)
        try FileManager.default.createSymbolicLink(atPath: rejects, withDestinationPath: target)
        // The number is that of no process; a file of another name is not one of ours.
        _ = try world.write("half", "target.4194999.part")
        _ = try world.write("mine", "target.x.part")
        try load(["--rejects", rejects]).expect(3)
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: rejects) == target)
        #expect(try world.folder.read("target").count { $0 == 0x0A } == 1)
        let permissions = try FileManager.default.attributesOfItem(atPath: target)[.posixPermissions] as? Int
        #expect(permissions == 0o640)
        #expect(try files == ["app.sqlite", "bad.ndjson", "target", "target.x.part", "users.ndjson"])
        // Also of a link to a file that is not there yet.
        let link = world.folder.path("link")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "later")
        try Tool.tributary.run(["records", "-q", "--rejects", link, source]).expect(3)
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == "later")
        #expect(try world.folder.read("later").count { $0 == 0x0A } == 1)
    }

    @Test("'records' replaces rejects that it has written, and none that were edited or are something else")
    func rejectsOfRecords() throws {
        func records(_ path: String) throws -> Tool.Outcome {
            try Tool.tributary.run(["records", "-q", "--rejects", path, source])
        }
        for _ in 0..<2 {
            try records(rejects).expect(3)
            #expect(try world.folder.read("bad.ndjson").count { $0 == 0x0A } == 1)
        }
        let kept = world.folder.path("kept.ndjson")
        try load(["--rejects", kept]).expect(3)
        let text = String(decoding: try world.folder.read("kept.ndjson"), as: UTF8.self)
        try records(kept).expect(3)
        for other in [text.replacing(":x", with: ":3"), "{\"file\":1}\n", "mine"] {
            let path = try world.write(other, "other.ndjson")
            try records(path).expect(64)
            #expect(try world.folder.read("other.ndjson") == Array(other.utf8))
        }
    }

    // MARK: Inputs

    @Test("A file that is named twice is imported once, whatever the names; 'records' prints it twice")
    func sameFileTwice() throws {
        let link = world.folder.path("link.ndjson")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: source)
        let folder = world.folder.path("")
        let words = ["--table", "t", "--on-error", "skip"]
        try Tool.tributary.run(["import", world.database, source, source, folder + "/./users.ndjson", link] + words)
            .expect(
                prefix: "3 read = 2 inserted + 1 rejected")
        #expect(try world.values("id", of: "t") == [1, 2])
        try Tool.tributary.run(["import", world.database, source] + words).expect(text: "already imported by run 1")
        let printed = try Tool.tributary.run(["records", "-q", "--on-error", "skip", source, source])
        #expect(printed.lines.count == 4)
    }
}
