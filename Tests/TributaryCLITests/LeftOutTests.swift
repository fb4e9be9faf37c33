import Foundation
import Testing
import TributarySQLite
import TributaryTestSupport

/// What `tributary import` says about parts of a text that it does not import.
@Suite struct LeftOutTests {
    private let world: ImportWorld

    init() throws { world = try ImportWorld() }

    /// More users than the sample that the place of the records is inferred from, and then other things.
    private static let text: String = {
        let users = (0..<20_000).map { "{\"id\":\($0),\"bio\":\"\(String(repeating: "x", count: 60))\"}" }
        return "{\"version\":2,\"users\":[\(users.joined(separator: ","))],\"orders\":[{\"id\":1},{\"id\":2}],"
            + "\"meta\":{\"a\":1,\"b\":[],\"c\":{}}}"
    }()

    @Test("Records that turn up after the place was inferred are named, in the summary and in the status")
    func laterRecords() throws {
        let path = try world.write(Self.text, "dump.json")
        let outcome = try world.load(path).expect(3)
        let command = "tributary import \(world.database) \(path)"
        let offer =
            "tributary: id is unique in all 20,000 records; to keep this table in step, run: \(command) --key id\n"
        let line = "left out: .orders (2 records), .version, .meta (3 members); "
        let next = "to import it, run: \(command) --at '.orders[]'"
        #expect(outcome.error == "tributary: \(path): records at .users[]\ntributary: \(line)\(next)\n\(offer)")
        #expect(outcome.text.hasPrefix("20,000 read = 20,000 inserted\n"))
        // The table is named after the member that holds the records.
        #expect(try world.rows("users").count == 20_000)
        let status = try Tool.tributary.run(["status", world.database])
        #expect(status.text.hasSuffix("\n    \(line)import it with --at '.orders[]'\n"))
        let orders = try world.load(path, "--at", ".orders[]")
        // The place was given, so nothing needs attention.
        #expect(orders.code == 0 && orders.error.contains("left out: .users (20000 records)"))
        #expect(try world.rows("orders").count == 2)
    }

    @Test("Records deeper in what is left out, and beyond the places that are named, need attention")
    func deeperRecords() throws {
        try world.load(
            try world.write(#"{"users":[{"id":1},{"id":2}],"page":{"list":[{"v":1}]}}"#, "a.json")
        ).expect(3, error: "left out: .page (1 member with 1 record in arrays)")
        let others = (0..<101).map { "\"s\($0)\":0" }.joined(separator: ",")
        let users = (0..<20_000).map { "{\"id\":\($0),\"bio\":\"\(String(repeating: "x", count: 60))\"}" }
        let text = "{\"users\":[\(users.joined(separator: ","))],\"m\":{},\(others),\"late\":[{\"v\":1}]}"
        try world.load(try world.write(text, "b.json"), "--json").expect(3)
        try world.load(try world.write(text + " ", "c.json")).expect(3, error: " more, with records")
    }

    @Test("Without other records nothing needs attention, but what is left out is reported", arguments: [true, false])
    func noOtherRecords(_ isQuiet: Bool) throws {
        let items = (0..<50).map { "{\"id\":\($0)}" }.joined(separator: ",")
        let path = try world.write("{\"next\":null,\"items\":[\(items)],\"labels\":[\"a\",\"b\"]}", "page.json")
        let outcome = try world.load(path, isQuiet ? "--quiet" : "--json").expect(0)
        #expect(outcome.error.contains("left out: .next, .labels (2 elements)\n") == !isQuiet)
        #expect(try world.rows("items").count == 50)
        guard !isQuiet else { return }
        #expect(
            outcome.text.contains(
                #""leftOut":[{"path":".next","kind":"scalar","count":1},{"path":".labels","kind":"array","count":1,"#
                    + #""contents":2,"objects":0,"innerObjects":0}],"inferred":{},"unmatched":{},"mapping":{},"related":{},"dangling":{},"attention":[]"#
            ))
    }

    @Test("Paths of a model without a value in any record are reported, in the summary and in the status")
    func unmatchedPaths() throws {
        let model = try world.model()
        let path = try world.write(#"[{"id":1,"address":{"town":"Bonn"}},{"id":2,"address":{}}]"#)
        let outcome = try world.load(path, "--model", model)
        let line =
            "none of 2 records has a value for name, city (at .address.city); "
            + "check the names and paths of the mapping"
        #expect(outcome.code == 0 && outcome.error.hasSuffix("tributary: \(line)\n"), "\(outcome.error)")
        #expect(try Tool.tributary.run(["status", world.database]).text.hasSuffix("\n    \(line)\n"))
        // One value in the last record is enough, and null is a value.
        let other = try world.write(
            #"[{"id":1},{"id":2,"name":null},{"id":3,"address":{"city":"Bonn"}}]"#, "others.json")
        try world.load(other, "--model", model, "--json").expect(without: "has a value", text: #""unmatched":{}"#)
        // A record without a key is a reject, which says so itself.
        try world.load(try world.write(#"[{"x":1}]"#, "bad.json"), "--model", model, "--on-error", "skip").expect(
            without: "has no value")
    }

    @Test("Chosen columns without a value in any record are reported")
    func unmatchedColumns() throws {
        let path = try world.write(#"[{"id":1,"a":{"b":2}}]"#)
        try world.load(path, "--columns", "id,x=a.b,y=a.c", "--key", "id", "--json").expect(
            error: "the one record has no value for y (at .a.c); check", text: #""unmatched":{"users":["y (at .a.c)"]}"#
        )
    }

    @Test(
        "The table is named after the file if no member holds the records, and after the member by another name if that is reserved"
    )
    func names() throws {
        _ = try world.load(try world.write(#"[{"id":1}]"#, "cities.json"))
        _ = try world.load(
            try world.write("{\"_x\":[\((0..<50).map { "{\"id\":\($0)}" }.joined(separator: ","))]}", "towns.json"))
        _ = try world.load(
            try world.write(#"{"data":{"rivers":[{"id":1},{"id":2}]}}"#, "x.json"), "--at", "/data/rivers")
        #expect(try world.rows("cities").count == 1 && world.rows("t_x").count == 50)
        #expect(try world.rows("rivers").count == 2)
    }

    @Test("Empty standard input is an error unless it is allowed")
    func emptyInput() throws {
        let refused = try world.load("-", "--entity", "x", "--json", input: Data()).expect(
            1, error: "standard input is empty; check the program before the pipe")
        // With --json a failure is one object, too.
        #expect(refused.text.hasPrefix(#"{"error":{"code":"source.read","message":"standard input is empty"#))
        #expect(!FileManager.default.fileExists(atPath: world.database))
        // Without an input the standard input of the test is /dev/null.
        try world.load("-", "--entity", "x").expect(1, error: "standard input is empty")
        #expect(!FileManager.default.fileExists(atPath: world.database))
        try world.load("-", "--entity", "x", "--allow-empty", input: Data()).expect(0)
        try world.load("-", "--entity", "x", "--allow-empty").expect(0)
    }

    @Test("A key that no member has is answered with the members there are")
    func missingKey() throws {
        let path = try world.write(#"[{"_id":1,"b":2,"c":3,"d":4,"e":5,"f":6,"g":7}]"#)
        try world.load(path, "--key", "ID").expect(1, error: "found no member for the key ID", "it has _id;")
        let other = try world.load(path, "--key", "x").expect(error: "it has _id, b, c, d, e and 2 more;")
        // All records would become rejects, and the same command would end in the same way.
        #expect(other.error.contains("; check --key, or, if only some records lack it, "))
        #expect(!other.error.contains("run: "))
    }

    @Test("A key may be given part by part, and the entity as a table")
    func otherWords() throws {
        let path = try world.write(#"[{"a":1,"b":2},{"a":1,"b":3},{"a":1,"b":2}]"#)
        let books = try world.books(try world.load(path, "--table", "pairs", "--pk", "a", "--key", "b", "--json", "-q"))
        #expect(books["inserted"] == 2)
        #expect(try world.rows("pairs").count == 2)
    }
}
