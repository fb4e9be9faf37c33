import Foundation
import Testing
import TributarySQLite
import TributaryTestSupport

/// `--all`.
@Suite("All places of records")
struct AllPlacesTests {
    private let world: ImportWorld
    init() throws { world = try ImportWorld() }

    @Test("Every array of objects goes into the table of its name, also beyond the first MB and at any level")
    func everyPlace() throws {
        let users = (0..<30_000).map { "{\"id\":\($0),\"name\":\"somebody with a long name\"}" }.joined(separator: ",")
        let file = try world.write(
            """
            {"version":1,"users":[\(users)],"orders":[{"id":1,"items":[{"q":1},{"q":2}]}],
            "deep":{"a":{"rows":[{"v":1},{"v":2}]},"byKey":{"x":{"v":1},"y":{"v":2}},"n":1},"tags":["a"]}
            """, "dump.json")
        try world.load(file).expect(
            3,
            error:
                "left out: .orders (1 record), .deep (3 members with 2 records in arrays), .version, .tags (1 element)")
        // The table has the users already, and they have no key.
        try world.load(file, "--all").expect(error: "--truncate makes the table what the file holds")
        let outcome = try world.load(file, "--all", "--truncate").expect(0, prefix: "30,005 read = 30,005 inserted")
        #expect(try world.rows("users").count == 30_000)
        #expect(try world.rows("orders").count == 1)
        #expect(try world.rows("rows").count == 2)
        #expect(try world.rows("byKey").count == 2)
        #expect(outcome.error.contains("left out: .version, .deep.n, .tags (1 element)"))
    }

    @Test("Arrays below many objects are found, and the same places of several files are one")
    func depth() throws {
        let text = #"{"a":{"b":{"c":{"d":{"e":{"f":{"g":{"h":{"rows":[{"v":1}]}}}}}}}},"u":[{"id":1}]}"#
        let paths = try ["1.json", "2.json"].map { try world.write(text, $0) }
        try world.load(paths[0], paths[1], "--all").expect(0)
        #expect(try world.rows("rows").count == 2 && world.rows("u").count == 2)
    }

    @Test("Any number of arrays is imported, each into its own table")
    func manyPlaces() throws {
        let count = 300
        let members = (0..<count).map { "\"m\($0)\":{\"meta\":{\"n\":1},\"rows\($0)\":[{\"v\":\($0)}]}" }
        let file = try world.write("{\"version\":1,\(members.joined(separator: ","))}", "many.json")
        try world.load(file, "--all").expect(0, prefix: "\(count) read = \(count) inserted")
        for number in [0, 1, 98, count - 1] {
            #expect(try world.values("v", of: "rows\(number)") == [.integer(Int64(number))])
        }
    }

    @Test("Tables whose names differ only in case get numbers, in the order of their paths")
    func namesOfOneTable() throws {
        let file = try world.write(#"{"users":[{"v":1}],"USERS":[{"v":2}],"Users":[{"v":3}]}"#, "dump.json")
        let outcome = try world.load(file, "--all").expect(0)
        #expect(try world.values("v", of: "USERS") == [.integer(2)])
        #expect(try world.values("v", of: "Users_2") == [.integer(3)])
        #expect(try world.values("v", of: "users_3") == [.integer(1)])
        #expect(outcome.error.contains(".users[] goes into the table users_3"), "\(outcome.error)")
    }

    @Test("Places with the same name get more of their paths")
    func sameNames() throws {
        let file = try world.write(#"{"a":{"rows":[{"v":1}]},"b":{"rows":[{"v":2}]},"n":1}"#, "dump.json")
        try world.load(file, "--all").expect(0)
        #expect(try world.values("v", of: "a_rows") == [.integer(1)])
        #expect(try world.values("v", of: "b_rows") == [.integer(2)])
    }

    @Test("Several arrays name --all, which excludes a place and needs files")
    func words() throws {
        let file = try world.write(#"{"a":[{"v":1}],"b":[{"v":2}]}"#, "dump.json")
        let words = "or . for the whole text as one record; --all imports each of them into its own table"
        try world.load(file).expect(error: words)
        try world.load(file, "--json").expect(error: words, text: "\(words)\"")
        try world.load(file, "--all", "--at", ".a[]").expect(error: "cannot be used together")
        try world.load("-", "--all", input: Data(#"{"a":[{"v":1}]}"#.utf8)).expect(
            error: "'--all' reads its input twice")
        try world.load(try world.write(#"{"a":1}"#, "none.json"), "--all").expect(error: "has no array of objects")
    }

    @Test("With a model the places that fit its entities are imported")
    func model() throws {
        let file = try world.write(#"{"users":[{"id":1}],"orders":[{"id":2}]}"#, "dump.json")
        try world.load(file, "--all", "--model", try world.model()).expect(
            0, error: "left out: .orders (1 record)", prefix: "1 read = 1 inserted")
    }
}
