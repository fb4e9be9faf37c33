import Foundation
import Testing
import TributarySQLite
import TributaryTestSupport

/// `tributary retry`: what has been mended is imported, the rest stays.
@Suite struct RetryTests {
    private let world: ImportWorld

    init() throws { world = try ImportWorld() }

    private var rejects: String { world.folder.path("bad.ndjson") }

    private func retry(_ words: String...) throws -> Tool.Outcome {
        try Tool.tributary.run(["retry", rejects, "--into", world.database] + words)
    }

    private func lines() throws -> [String] {
        String(decoding: try world.folder.read("bad.ndjson"), as: UTF8.self).split(separator: "\n").map(String.init)
    }

    private func mend(_ old: String, _ new: String) throws {
        let text = try lines().map { $0.replacing(old, with: new) + "\n" }.joined()
        _ = try world.folder.write(text.utf8, to: "bad.ndjson")
    }

    @Test func whatIsMendedGoesAndTheRestStays() throws {
        let path = try world.write("{\"id\":1}\n{\"id\":x}\n{\"id\":3}\n{\"id\":y}\n{\"id\":z}\n", "e.ndjson")
        #expect(try world.load(path, "--key", "id", "--rejects", rejects).code == 3)
        #expect(try lines().count == 3)
        // Nothing mended: nothing gone.
        let before = try lines()
        let none = try retry()
        #expect(none.code == 3 && none.text.contains(": 0 imported, 3 kept\n3 read = 3 rejected\n"), "\(none.error)")
        #expect(try lines().count == 3 && before.count == 3)
        try mend("\"raw\":\"{\\\"id\\\":x}\"", "\"raw\":\"{\\\"id\\\":2}\"")
        try mend("\"raw\":\"{\\\"id\\\":z}\"", "\"raw\":\"{\\n \\\"id\\\":5}\"")
        let outcome = try retry("--json")
        #expect(outcome.code == 3, "\(outcome.error)")
        #expect(try world.books(outcome)["inserted"] == 2 && world.books(outcome)["rejected"] == 1)
        #expect(try world.values("id", of: "e") == [1, 3, 2, 5].map { .integer($0) })
        let left = try lines()
        #expect(left.count == 1 && left[0].contains("\"line\":4") && left[0].contains("\"run\":1,\"entity\":\"e\""))
        try mend("\"raw\":\"{\\\"id\\\":y}\"", "\"raw\":\"{\\\"id\\\":4}\"")
        let last = try retry()
        #expect(last.code == 0 && last.text.contains(": 1 imported, none is left\n"), "\(last.error)")
        #expect(try lines().isEmpty)
        #expect(try retry().text.contains("nothing can be tried again"))
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: world.folder.url.path).count { $0.contains("retry") }
                == 0)
    }

    /// Nobody knows whether a damaged record stood where one was looked for.
    @Test func aFileOfDamagedTextAlone() throws {
        let path = try world.write(#"[{"id":1,"s":"\ud800"},{"id":2}]"#, "e.json")
        #expect(try world.load(path, "--entity", "E", "--key", "id", "--rejects", rejects).code == 3)
        let outcome = try retry()
        #expect(outcome.code == 3 && outcome.text.contains(": 0 imported, 1 kept"), "\(outcome.error)")
        try mend("\\\\ud800", "mended")
        #expect(try retry().code == 0)
        #expect(try Set(world.values("id", of: "E")) == [1, 2])
    }

    /// One that was stopped begins anew where more was mended since, and its draft is nobody's.
    @Test func whatWasStoppedMayBeMendedFurther() throws {
        let path = try world.write("{\"id\":1}\n{\"id\":x}\n{\"id\":y}\n", "e.ndjson")
        #expect(try world.load(path, "--key", "id", "--rejects", rejects).code == 3)
        try mend("\"raw\":\"{\\\"id\\\":x}\"", "\"raw\":\"{\\\"id\\\":2}\"")
        let draft = try lines()[1] + "\n"
        #expect(try retry().code == 3)
        try pretendItFailed(run: 2)
        _ = try world.folder.write(draft.utf8, to: "bad.ndjson.retry")
        try mend("\"raw\":\"{\\\"id\\\":y}\"", "\"raw\":\"{\\\"id\\\":3}\"")
        let outcome = try retry()
        #expect(outcome.code == 0 && outcome.text.contains("1 imported, none is left"), "\(outcome.error)")
        #expect(try world.values("id", of: "e") == [1, 2, 3])
        // A file that is somebody's stays.
        _ = try world.folder.write(draft.utf8, to: "bad.ndjson")
        _ = try world.folder.write("mine\n".utf8, to: "bad.ndjson.retry")
        #expect(try retry().code == 1)
        #expect(try world.folder.read("bad.ndjson.retry") == Array("mine\n".utf8))
    }

    /// Has the journal say that a run has not finished.
    private func pretendItFailed(run: Int) throws {
        let connection = try Connection(.file(world.database))
        try connection.execute(
            """
            UPDATE "_run" SET "state" = 'failed',
            "payload" = replace("payload", '"state":"finished"', '"state":"failed"') WHERE "run" = \(run)
            """)
    }

    /// Two lines are refused, of which one is mended.
    private func loadAndMendOne() throws {
        let path = try world.write("{\"id\":1}\n{\"id\":x}\n{\"id\":y}\n", "e.ndjson")
        #expect(try world.load(path, "--key", "id", "--rejects", rejects).code == 3)
        try mend("\"raw\":\"{\\\"id\\\":x}\"", "\"raw\":\"{\\\"id\\\":2}\"")
    }

    /// What is said on the command line goes before what the lines say.
    @Test func anotherEntityMayTakeThem() throws {
        try loadAndMendOne()
        let outcome = try retry("--entity", "f", "--key", "id")
        #expect(outcome.code == 3 && outcome.text.contains(": 1 imported, 1 kept\n"), "\(outcome.error)")
        #expect(try world.values("id", of: "e") == [1] && world.values("id", of: "f") == [2])
    }

    /// Blank lines count as well: a line that is refused again is the one that stays.
    @Test func linesKeepTheirPlacesBehindBlankOnes() throws {
        try loadAndMendOne()
        let old = try lines()
        let text = "\n\(old[0])\n\nno JSON\n \n\(old[1])\n"
        _ = try world.folder.write(text.utf8, to: "bad.ndjson")
        let outcome = try retry()
        #expect(outcome.code == 3 && outcome.text.contains(": 1 imported, 2 kept\n"), "\(outcome.error)")
        #expect(try lines() == ["no JSON", old[1]])
        #expect(try world.values("id", of: "e") == [1, 2])
    }

    /// What was refused again stays refused, whatever has become of the draft that says so.
    @Test func aDraftThatIsGoneLosesNothing() throws {
        try loadAndMendOne()
        let before = try lines()
        // The second group cannot be imported.
        let other = "{\"run\":1,\"entity\":\"e\",\"key\":\"k\",\"keyAs\":\"id\",\"raw\":\"{\\\"id\\\":7}\"}"
        _ = try world.folder.write((before + [other]).map { $0 + "\n" }.joined().utf8, to: "bad.ndjson")
        _ = try world.folder.write("mine\n".utf8, to: "bad.ndjson.retry-2")
        #expect(try retry().code == 1)
        try FileManager.default.removeItem(atPath: rejects + ".retry")
        try FileManager.default.removeItem(atPath: rejects + ".retry-2")
        #expect(try retry().code == 3)
        #expect(try lines().contains(before[1]))
    }

    /// One that was stopped begins anew where nobody has what it had refused.
    @Test func aDraftThatIsGoneHindersNobody() throws {
        try loadAndMendOne()
        let before = try lines()
        #expect(try retry().code == 3)
        try pretendItFailed(run: 2)
        _ = try world.folder.write(before.map { $0 + "\n" }.joined().utf8, to: "bad.ndjson")
        let outcome = try retry()
        #expect(outcome.code == 3 && outcome.text.contains(": 1 imported, 1 kept\n"), "\(outcome.error)")
        #expect(try lines() == [before[1]])
        #expect(try world.values("id", of: "e") == [1, 2])
    }

    /// Nothing but the draft tells that lines without a key are imported, until they are gone from the file.
    @Test func linesWithoutAKeyAreImportedOnce() throws {
        for name in ["a", "b"] {
            let path = try world.write("{\"n\":1}\n{\"n\":x}\n", "\(name).ndjson")
            let outcome = try world.load(path, "--entity", "E", "--rejects", world.folder.path(name))
            #expect(outcome.code == 3, "\(outcome.error)")
        }
        let (first, second) = (try world.folder.read("a"), try world.folder.read("b"))
        let mended = String(decoding: first, as: UTF8.self).replacing("{\\\"n\\\":x}", with: "{\\\"n\\\":2}")
        _ = try world.folder.write(Array(mended.utf8) + second, to: "bad.ndjson")
        // The first group is imported; the second one has no place for its draft.
        let place = world.folder.path("bad.ndjson.retry-2")
        try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: false)
        let stopped = try retry()
        #expect(stopped.code == 1, "\(stopped.error)")
        try FileManager.default.removeItem(atPath: place)
        let before = try world.values("n", of: "E")
        #expect(before == [1, 1, 2])
        try mend("{\\\"n\\\":x}", "{\\\"n\\\":3}")
        let refused = try retry()
        #expect(refused.code == 1 && refused.error.contains("would be imported twice"), "\(refused.error)")
        #expect(try world.values("n", of: "E") == before)
        // As it says: what is not imported yet, in another file.
        let rest = try lines().dropFirst().joined(separator: "\n") + "\n"
        let other = try world.write(rest, "rest.ndjson")
        #expect(try Tool.tributary.run(["retry", other, "--into", world.database]).code == 0)
        #expect(try world.values("n", of: "E") == before + [3])
        // What was mended and rewritten may be mended and tried again.
        let once = try Tool.tributary.run(["retry", world.folder.path("b"), "--into", world.database])
        #expect(once.code == 3, "\(once.error)")
        let again = String(decoding: try world.folder.read("b"), as: UTF8.self)
        _ = try world.write(again.replacing("{\\\"n\\\":x}", with: "{\\\"n\\\":4}"), "b")
        #expect(try Tool.tributary.run(["retry", world.folder.path("b"), "--into", world.database]).code == 0)
        #expect(try world.values("n", of: "E") == before + [3, 4])
    }

    @Test func theFileKeepsWhoMayReadIt() throws {
        let path = try world.write("{\"id\":1}\n{\"id\":x}\n", "e.ndjson")
        #expect(try world.load(path, "--key", "id", "--rejects", rejects).code == 3)
        let manager = FileManager.default
        try manager.setAttributes([.posixPermissions: 0o600], ofItemAtPath: rejects)
        try manager.moveItem(atPath: rejects, toPath: rejects + ".real")
        try manager.createSymbolicLink(atPath: rejects, withDestinationPath: rejects + ".real")
        #expect(try retry().code == 3)
        let mode = try manager.attributesOfItem(atPath: rejects + ".real")[.posixPermissions] as? Int
        #expect(mode == 0o600)
        #expect(try manager.destinationOfSymbolicLink(atPath: rejects) == rejects + ".real")
    }

    @Test func membersKeepTheirKeys() throws {
        let path = try world.write(#"{"users":{"u1":{"n":1},"u2":{"n":x},"u3":{"n":"three"}}}"#)
        let model = try world.write(
            """
            <model><entity name="User"><attribute name="uid" attributeType="String"/>
            <attribute name="n" attributeType="Integer 64"/>
            <uniquenessConstraints><uniquenessConstraint><constraint value="uid"/></uniquenessConstraint></uniquenessConstraints>
            </entity></model>
            """, "m.xml")
        let outcome = try world.load(
            path, "--model", model, "--at", ".users{}", "--key-as", "uid", "--rejects", rejects)
        #expect(outcome.code == 3 && outcome.text.hasPrefix("3 read = 1 inserted + 2 rejected"), "\(outcome.error)")
        try mend("{\\\"n\\\":x}", "{\\\"n\\\":2}")
        try mend("\\\"three\\\"", "3")
        let again = try retry()
        #expect(again.code == 0, "\(again.error)")
        #expect(try Set(world.values("uid", of: "User")) == [.text("u1"), .text("u2"), .text("u3")])
        #expect(try Set(world.values("n", of: "User")) == [.integer(1), .integer(2), .integer(3)])
    }

    @Test func linesThatCannotBeTriedStay() throws {
        _ = try world.load(try world.write("{\"id\":1}\n", "e.ndjson"), "--key", "id")
        let text =
            "no JSON\n{\"run\":1,\"entity\":\"e\",\"raw\":\"{\\\"id\\\":7}\"}\n{\"run\":1,\"raw\":\"{\",\"truncated\":true}\n"
        _ = try world.folder.write(text.utf8, to: "bad.ndjson")
        #expect(try retry("--dry-run").text == "a dry run: 1 read = 1 inserted\n")
        #expect(try lines().count == 3)
        let outcome = try retry()
        #expect(outcome.code == 3 && outcome.text.contains(": 1 imported, 2 kept\n"), "\(outcome.error)")
        #expect(try lines() == ["no JSON", "{\"run\":1,\"raw\":\"{\",\"truncated\":true}"])
        #expect(try world.values("id", of: "e") == [.integer(1), .integer(7)])
        let rest = try retry()
        #expect(rest.code == 3 && rest.text.contains("nothing can be tried again, 2 kept"), "\(rest.error)")
    }

    @Test func refusals() throws {
        #expect(try retry().code == 1)
        _ = try world.folder.write("{\"raw\":\"1\"}\n".utf8, to: "bad.ndjson")
        let outcome = try retry()
        #expect(outcome.code == 64 && outcome.error.contains("Say what the records are"), "\(outcome.error)")
        #expect(try lines().count == 1)
    }
}
