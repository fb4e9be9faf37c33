import Foundation
import Testing
import TributarySQLite
import TributaryTestSupport

/// Files and values that no command line may lose or overwrite.
@Suite struct ImportSafetyTests {
    private let world: ImportWorld

    init() throws { world = try ImportWorld() }

    private var names: Set<String> {
        get throws { Set(try FileManager.default.contentsOfDirectory(atPath: world.folder.url.path)) }
    }

    // MARK: Files

    @Test("No file of the database can be the rejects file", arguments: ["", "-wal", "-shm", "-journal", "-writer"])
    func partsOfADatabaseAreNoFilesOfRejects(_ ending: String) throws {
        let path = try world.write("{\"id\":1}\n{\"id\":x}\n", "e.ndjson")
        // The first round has no database yet, and the second has one.
        for _ in 0..<2 {
            let outcome = try world.load(path, "--key", "id", "--rejects", world.database + ending)
            #expect(outcome.code != 0 && outcome.error.contains("database"), "\(outcome.error)")
            _ = try world.load(path, "--key", "id", "--on-error", "skip")
            #expect(try world.values("id", of: "e") == [1])
        }
    }

    @Test("A refused import creates no file")
    func whatIsRefusedLeavesNoDatabase() throws {
        let path = try world.write("{\"id\":1}\n", "e.ndjson")
        try FileManager.default.createDirectory(atPath: world.folder.path("folder"), withIntermediateDirectories: true)
        for words in [
            [world.folder.path("folder")], [world.folder.path("nothing")],
            [path, "--rejects", world.folder.path("no/where")], [path, "--rejects", world.database],
        ] {
            let outcome = try Tool.tributary.run(["import", world.database] + words)
            #expect(outcome.code != 0, "\(words)")
        }
        #expect(try names == ["e.ndjson", "folder"])
    }

    @Test("An import leaves the database as one file")
    func oneFileIsLeft() throws {
        let path = try world.write("{\"id\":1}\n{\"id\":1}\n", "e.ndjson")
        try world.load(path, "--key", "id").expect(0)
        #expect(try names == ["e.ndjson", "app.sqlite"])
    }

    @Test("A file that holds anything but rejects of the database is not overwritten")
    func otherFilesOfRejects() throws {
        let rejects = try world.write("mine\n", "bad.ndjson")
        let words = [try world.write("{\"id\":1}\n{\"id\":x}\n", "e.ndjson"), "--key", "id", "--rejects", rejects]
        func load(_ more: String...) throws -> Tool.Outcome {
            try Tool.tributary.run(["import", world.database] + words + more)
        }
        try load().expect(1, error: "not rejects of this store")
        #expect(try names == ["bad.ndjson", "e.ndjson"])
        #expect(try world.folder.read("bad.ndjson") == Array("mine\n".utf8))
        try FileManager.default.removeItem(atPath: rejects)
        try load().expect(3)
        // Its own lines are written again.
        try load("--again").expect(3)
        #expect(try world.folder.read("bad.ndjson").count { $0 == 0x0A } == 1)
        let edited = String(decoding: try world.folder.read("bad.ndjson"), as: UTF8.self).replacing(":x", with: ":4")
        _ = try world.folder.write(edited.utf8, to: "bad.ndjson")
        try load("--again").expect(1)
        #expect(try world.folder.read("bad.ndjson") == Array(edited.utf8))
        // Edited rejects may be overwritten once they are imported.
        try Tool.tributary.run(["retry", world.database, rejects]).expect(0)
        try load("--again").expect(3)
        #expect(try world.folder.read("bad.ndjson") != Array(edited.utf8))
    }

    /// Reading further would only make a long rejects file longer.
    @Test("An import stops soon after it exceeds its error limit")
    func tooManyErrorsAreMetSoon() throws {
        let rejects = world.folder.path("bad.ndjson")
        let path = try world.write(String(repeating: "{\"x\":1}\n", count: 50_000), "e.ndjson")
        try world.load(
            path, "--key", "id", "--rejects", rejects, "--max-errors", "10", "--batch-size", "100"
        ).expect(1, error: "more than 10")
        #expect(try world.folder.read("bad.ndjson").count { $0 == 0x0A } <= 110)
    }

    @Test("A closed standard input or output is an error, not a trap", arguments: [">&-", "<&-"])
    func closedFilesAreNoTrap(_ redirection: String) throws {
        _ = try world.write("{\"id\":1}\n", "e.ndjson")
        let file = redirection == "<&-" ? "-" : "e.ndjson"
        let outcome = try Tool.shell(
            "tributary import app.sqlite \(file) --entity e --key id \(redirection); echo $?",
            in: world.folder.url)
        #expect(outcome.lines.last == "1" && outcome.error.contains("Bad file descriptor"), "\(outcome.error)")
    }

    @Test("An import commits its records even if its output pipe is closed")
    func aClosedPipeIsNoErrorOfTheImport() throws {
        _ = try world.write("{\"id\":1}\n", "e.ndjson")
        let outcome = try Tool.shell(
            "tributary import -q app.sqlite e.ndjson --json --key id | true; echo ${PIPESTATUS[0]}",
            in: world.folder.url)
        #expect(outcome.lines.last == "141" || outcome.lines.last == "0")
        #expect(!outcome.error.contains("to resume"), "\(outcome.error)")
        #expect(try world.values("id", of: "e") == [1])
    }

    // MARK: Retrying

    @Test("Retried rejects of an unfinished import are not read again when it resumes")
    func rejectsOfAnUnfinishedImport() throws {
        let lines = (0..<20).map { $0 % 4 == 0 ? "{\"id\":\($0),\"x\":}\n" : "{\"id\":\($0)}\n" }
        let path = try world.write(lines.joined(), "e.ndjson")
        let rejects = world.folder.path("bad.ndjson")
        let words = [path, "--key", "id", "--rejects", rejects, "--batch-size", "4"]
        func load(_ limit: String) throws -> Tool.Outcome {
            try Tool.tributary.run(["import", world.database] + words + ["--max-errors", limit])
        }
        try load("2").expect(1)
        // It is refused until more are tolerated, also when everything has been read.
        try load("2").expect(1)
        let kept = try world.folder.read("bad.ndjson").count { $0 == 0x0A }
        #expect((3...5).contains(kept))
        let edited = String(decoding: try world.folder.read("bad.ndjson"), as: UTF8.self)
            .replacing(",\\\"x\\\":}", with: "}")
        _ = try world.folder.write(edited.utf8, to: "bad.ndjson")
        try Tool.tributary.run(["retry", world.database, rejects]).expect(
            0, output: "\(kept) read = \(kept) inserted\n")
        try load("20").expect(3)
        #expect(try world.folder.read("bad.ndjson").count { $0 == 0x0A } == 5 - kept)
        #expect(try Set(world.values("id", of: "e")).count == 15 + kept)
    }

    @Test("A retry leaves other files and other databases unchanged")
    func otherFilesAndDatabasesStay() throws {
        let path = try world.write("{\"a.b\":1}\n{\"a.b\":2,\"x\":}\n", "e.ndjson")
        let rejects = world.folder.path("bad.ndjson")
        try world.load(path, "--key", "[\"a.b\"]", "--rejects", rejects).expect(3)
        let line = String(decoding: try world.folder.read("bad.ndjson"), as: UTF8.self)
        _ = try world.write(line.replacing("\\\"x\\\":}", with: "\\\"x\\\":4}"), "bad.ndjson")
        _ = try world.write("mine", "bad.ndjson.new")
        // Another database has a run of the same number.
        let other = world.folder.path("other.sqlite")
        try Tool.tributary.run(["import", other, "-q", path, "--entity", "o", "--on-error", "skip"]).expect(3)
        try Tool.tributary.run(["retry", other, rejects]).expect(0, text: "1 not in this database")
        // A key in brackets that contains a period is one name, not a path.
        try Tool.tributary.run(["retry", world.database, rejects]).expect(0)
        #expect(try world.values("a.b", of: "e") == [1, 2])
        #expect(try world.folder.read("bad.ndjson.new") == Array("mine".utf8))
    }

    // MARK: Values

    @Test("Members whose names look alike or are reserved keep their values")
    func keysThatLookAlikeAreTwo() throws {
        let path = try world.write(
            "{\"id\":1,\"\u{E9}\":\"one\",\"e\u{301}\":\"two\"}\n{\"id\":2,\"_rest\":\"A\",\"_pk\":9}\n", "e.ndjson")
        for words in ["-q", "--again"] {
            try world.load(path, "--key", "id", words).expect(0)
            let rows = try world.rows("e")
            #expect(rows.map { $0["\u{E9}"] } == [.text("one"), .null])
            #expect(
                rows.map { $0["_rest"] } == [.text("{\"e\u{301}\":\"two\"}"), .text("{\"_rest\":\"A\",\"_pk\":9}")])
        }
    }

    @Test("Records with more members than a table can have columns are imported")
    func widerThanATable() throws {
        let lines = (0..<300).map { record in
            let members = (0..<9).map { ",\"k\((record * 9 + $0) % 2500)\":\($0)" }
            return "{\"id\":\(record)\(members.joined())}\n"
        }
        let path = try world.write(lines.joined(), "e.ndjson")
        try world.load(path, "--key", "id", "--batch-size", "7").expect(0)
        let again = try world.load(path, "--key", "id", "--again", "--json")
        #expect(try world.books(again)["unchanged"] == 300)
    }

    @Test("Number keys are compared exactly, beyond the precision of a double")
    func numbersAsKeys() throws {
        let path = try world.write(
            """
            {"id":-0}\n{"id":0}\n{"id":9007199254740993}\n{"id":9007199254740993.0}\n{"id":1e400}
            {"id":"18446744073709551615"}\n{"id":18446744073709551615}\n
            """, "e.ndjson")
        let outcome = try world.load(path, "--key", "id", "--on-error", "skip", "--json")
        #expect(try world.books(outcome)["inserted"] == 3 && world.books(outcome)["rejected"] == 2)
        #expect(try world.values("id", of: "e") == [.real(-0.0), 9_007_199_254_740_993, .text("18446744073709551615")])
    }

    @Test("A key may have nine parts")
    func aLongKey() throws {
        let names = (0..<9).map { "k\($0)" }
        let record = "{" + names.map { "\"\($0)\":1" }.joined(separator: ",") + "}\n"
        let path = try world.write(record + record, "e.ndjson")
        for (words, count) in [("-q", "inserted"), ("--again", "unchanged")] {
            let outcome = try world.load(path, "--key", names.joined(separator: ","), words, "--json")
            #expect(try world.books(outcome)[count] ?? 0 > 0, "\(outcome.error)")
        }
        #expect(try world.rows("e").count == 1)
    }

    @Test("Records that break a validation rule of the model are rejected", arguments: [true, false])
    func whatAModelSaysOfValuesHolds(_ isDerived: Bool) throws {
        let derived =
            #"<attribute name="big" optional="YES" attributeType="String" derived="YES" derivationExpression="uppercase:(name)"/>"#
        let model = try world.write(
            """
            <model><entity name="P"><attribute name="id" attributeType="Integer 64"/>
            <attribute name="name" attributeType="String" optional="YES" minValueString="2" maxValueString="7" regularExpressionString="[a-z]+"/>
            <attribute name="age" attributeType="Integer 32" optional="YES" minValueString="0" maxValueString="150"/>
            \(isDerived ? derived : "")
            <uniquenessConstraints><uniquenessConstraint><constraint value="id"/></uniquenessConstraint></uniquenessConstraints>
            </entity></model>
            """, "P.xml")
        let path = try world.write(
            """
            {"id":1,"name":"ann","age":3}\n{"id":2,"name":"a"}\n{"id":3,"name":"A1b"}\n{"id":4,"age":200}
            {"id":5,"name":"bob"}\n{"id":1,"name":"carl"}\n{"id":6,"name":"waytoolong"}\n{"id":7,"name":null}\n{"id":8,"name":7}\n
            """, "P.ndjson")
        let rejects = world.folder.path("bad.ndjson")
        try world.load(path, "--model", model, "--rejects", rejects, "--json").expect(3)
        let rows = try world.rows("P")
        #expect(rows.map { $0["name"] } == [.text("carl"), .text("bob"), .null])
        #expect(rows.map { $0["age"] } == [3, .null, .null])
        if isDerived { #expect(rows.map { $0["big"] } == [.text("CARL"), .text("BOB"), .null]) }
        let codes = String(decoding: try world.folder.read("bad.ndjson"), as: UTF8.self).split(separator: "\n").map {
            line in
            line.firstMatch(of: /"code":"([a-z.]+)"/).map { String($0.1) } ?? ""
        }
        #expect(
            codes == ["validate.length", "validate.pattern", "validate.range", "validate.length", "convert.type"])
    }
}
