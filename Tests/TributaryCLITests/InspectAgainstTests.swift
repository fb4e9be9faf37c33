import Foundation
import Testing
import TributarySQLite
import TributaryTestSupport

/// `tributary inspect --against` with a database or a model.
@Suite struct InspectAgainstTests {
    private let world: ImportWorld

    init() throws { world = try ImportWorld() }

    /// A record with booleans, decimals, objects and arrays, of which some members are missing or null.
    private static func line(_ number: Int, _ more: String = "") -> String {
        let rest = number % 3 == 0 ? "" : number % 3 == 1 ? ",\"note\":null" : ",\"note\":\"n\(number % 5)\""
        return """
            {"id":\(number),"name":"user \(number)","ok":\(number % 2 == 0),"score":\(number).5,"always":null,\
            "price":0.1234567890123456789,"tags":["a",\(number % 4)],"address":{"city":"c\(number % 7)","zip":"01234"}\
            \(rest)\(more)}

            """
    }

    private func dump(_ count: Int = 300, _ name: String = "users.ndjson") throws -> String {
        try world.write((0..<count).map { Self.line($0) }.joined(), name)
    }

    private func compare(_ path: String, _ words: String...) throws -> Tool.Outcome {
        try Tool.tributary.run(["inspect", path, "--against", world.database] + words)
    }

    @Test(
        "A dump does not differ from the table into which it was imported",
        arguments: [["--key", "id"], [], ["--key", "id", "--flatten"], ["--relations"]])
    func unchanged(_ options: [String]) throws {
        let path = try dump()
        try Tool.tributary.run(["import", world.database, path] + options).expect(0)
        try compare(path).expect(0, output: "")
    }

    @Test("A dump with linked objects does not differ from their tables")
    func linkedObjects() throws {
        let path = try world.write(
            (0..<60).map { number in
                #"{"id":\#(number),"city":{"id":"c\#(number % 5)","name":"x"},"tags":[{"id":\#(number % 9)}]}"# + "\n"
            }.joined(), "users.ndjson")
        try world.load(path, "--relations").expect(0)
        try compare(path).expect(0, output: "")
    }

    @Test("What a dump has otherwise than the table is told, and ends with 2")
    func changed() throws {
        try world.load(try dump(), "--key", "id").expect(0)
        var lines = (0..<300).map { Self.line($0) }
        lines[7] = Self.line(7, ",\"fresh\":true")
        lines[8] = Self.line(8).replacing("\"ok\":true", with: "\"ok\":\"yes\"")
        let path = try world.write(lines.joined(), "users.ndjson")
        let outcome = try compare(path).expect(2)
        #expect(outcome.lines.count == 2, "\(outcome.text)")
        #expect(outcome.lines.contains { $0.hasPrefix(".ok: text ×1 is new; first: record 9, line 9, byte ") })
        #expect(outcome.lines.contains { $0.hasPrefix(".fresh: new, in 0.3 % of the objects; first: record 8, ") })
    }

    @Test("The table is the one that is named, the only one, or the one with the name of the file")
    func choosing() throws {
        let path = try dump()
        try world.load(path, "--key", "id").expect(0)
        let other = try world.write("[{\"x\":1}]", "others.json")
        try world.load(other).expect(0)
        try compare(path).expect(0, output: "")
        try compare(path, "--table", "Users").expect(0, output: "")
        try compare(path, "--table", "others").expect(2, text: ".x: gone")
        try compare(path, "--table", "user").expect(1, error: "Did you mean 'users'?")
        let third = try dump(300, "third.ndjson")
        try compare(third).expect(1, error: "choose one with --table NAME")
        try Tool.tributary.run(["inspect", path, "--table", "users"]).expect(64, error: "'--table' is for '--against'")
        let profile = try Tool.tributary.run(["inspect", path, "--json"]).expect(0)
        let base = world.folder.path("base.json")
        try profile.output.write(to: URL(filePath: base))
        try Tool.tributary.run(["inspect", path, "--against", base, "--table", "users"]).expect(
            64, error: "'--table' is for '--against'")
    }

    @Test("Tables are compared with tables and with profiles of dumps")
    func tables() throws {
        let path = try dump()
        try world.load(path, "--key", "id").expect(0)
        let base = world.folder.path("base.json")
        try Tool.tributary.run(["inspect", path, "--json"]).expect(0).output.write(to: URL(filePath: base))
        try Tool.tributary.run(["inspect", world.database, "users", "--against", base]).expect(0, output: "")
        try Tool.tributary.run(["inspect", world.database, "users", "--against", world.database]).expect(0, output: "")
        _ = try world.query("UPDATE \"users\" SET \"name\" = NULL")
        try Tool.tributary.run(["inspect", world.database, "users", "--against", base]).expect(2, text: ".name: gone")
    }

    @Test("Records at several paths cannot be compared with one table")
    func severalPaths() throws {
        try world.load(try dump(), "--key", "id").expect(0)
        let path = try world.write(#"{"a":[{"x":1}],"b":[{"y":2}]}"#)
        try compare(path).expect(1, error: "choose those at one place with --at PATH")
    }

    @Test("What does not fit an entity of a model is told, member by member")
    func model() throws {
        let model = try world.model()
        let path = try world.write(
            """
            {"id":1,"name":"a","address":{"city":"X"},"extra":1}
            {"id":1,"name":5,"address":{"city":"Y"}}
            {"name":"b","address":{"city":true}}

            """, "users.ndjson")
        let outcome = try Tool.tributary.run(["inspect", path, "--against", model]).expect(2)
        #expect(
            outcome.lines == [
                ".id: null or missing in 1 of 3 objects, and User.id is mandatory",
                ".id: 1 value repeats, and User.id is unique",
                ".name: integer ×1 is not of the type String of User.name; first: record 2, line 2, byte 68",
                ".address.city: true ×1 is not of the type String of User.city; first: record 3, line 3, byte 124",
                ".extra: User has no property for it, which is in 33.3 % of the objects; first: record 1, line 1, byte 50",
            ])
        let fitting = try world.write("{\"id\":1,\"name\":\"a\",\"address\":{\"city\":\"X\"}}\n", "fitting.ndjson")
        try Tool.tributary.run(["inspect", fitting, "--against", model, "--table", "User"]).expect(0, output: "")
        try Tool.tributary.run(["inspect", fitting, "--against", model, "--table", "Usr"]).expect(
            1, error: "there is no entity 'Usr'. Did you mean 'User'?")
        try world.load(fitting, "--model", model, "--entity", "User").expect(0)
        try compare(fitting).expect(0, output: "")
    }

    @Test("A dump without records differs, and values that are hidden are not told")
    func nothing() throws {
        let path = try dump()
        let base = world.folder.path("base.json")
        try Tool.tributary.run(["inspect", path, "--json"]).expect(0).output.write(to: URL(filePath: base))
        let empty = try world.write("[]", "users.json")
        try Tool.tributary.run(["inspect", empty, "--against", base]).expect(
            2, output: ".: no records; there were 300\n")
        let other = try world.write((0..<300).map { Self.line($0).replacing("\"n3\"", with: "\"SECRET\"") }.joined())
        let outcome = try Tool.tributary.run(["inspect", other, "--against", base, "--no-values"]).expect(2)
        #expect(outcome.lines == [".note: 1 new value"])
        let damaged = try world.write((0..<300).map { Self.line($0) }.joined() + "{\"id\":", "cut.ndjson")
        let cut = try Tool.tributary.run(["inspect", damaged, "--against", base])
        #expect(cut.code != 0 && cut.error.contains("cut.ndjson:301"), "\(cut.error)")
    }

    @Test("A column of 0 and 1 that gets another number differs, unless the dump has booleans there")
    func bits() throws {
        func text(_ other: String) -> String {
            (0..<60).map { "{\"id\":\($0),\"n\":\($0 == 7 ? other : "\($0 % 2)")}\n" }.joined()
        }
        try world.load(try world.write(text("1"), "bits.ndjson"), "--key", "id").expect(0)
        try compare(try world.write(text("2"), "bits.ndjson")).expect(2, output: ".n: new value 2\n")
        try compare(try world.write(text("true"), "bits.ndjson")).expect(0, output: "")
    }

    @Test("Values that a typed column has converted do not differ")
    func typedColumns() throws {
        let text = (0..<40).map { number in
            #"{"id":\#(number),"at":"2024-05-01T12:00:00+02:00","price":0.12345678901234567890123999,"n":\#(number),"x":1.5}"#
                + "\n"
        }
        let path = try world.write(text.joined(), "items.ndjson")
        let model = world.folder.path("m.xml")
        try Tool.tributary.run(["inspect", "-q", path, "--write-model", model]).expect(0)
        try world.load(path, "--model", model).expect(0)
        try compare(path).expect(0, output: "")
    }

    @Test("Dates, UUIDs, bounds, relationships and members that are in no record are compared with a model")
    func bounds() throws {
        let model = try world.write(
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
                <entity name="City">
                    <attribute name="code" optional="YES" attributeType="String"/>
                    <relationship name="users" optional="YES" toMany="YES" deletionRule="Nullify"
                        destinationEntity="User" inverseName="city" inverseEntity="User"/>
                    <uniquenessConstraints>
                        <uniquenessConstraint><constraint value="code"/></uniquenessConstraint>
                    </uniquenessConstraints>
                </entity>
                <entity name="User">
                    <attribute name="age" optional="YES" attributeType="Integer 16" minValueString="18"/>
                    <attribute name="born" optional="YES" attributeType="Date"/>
                    <attribute name="gone" optional="YES" attributeType="String"/>
                    <attribute name="token" optional="YES" attributeType="UUID"/>
                    <relationship name="city" optional="YES" maxCount="1" deletionRule="Nullify"
                        destinationEntity="City" inverseName="users" inverseEntity="City"/>
                </entity>
            </model>
            """, "Model.xml")
        let path = try world.write(
            """
            {"age":17,"born":"2001-05-06","token":"123e4567-e89b-12d3-a456-426614174000","city":{"code":"B"}}
            {"age":40000,"born":"tomorrow","token":"no","city":"C"}
            {"age":20,"born":"20010506","token":null,"city":[1]}

            """, "users.ndjson")
        let outcome = try Tool.tributary.run(["inspect", path, "--against", model]).expect(2)
        let begins = [
            ".age: minimum 17, 18 is the least of User.age", ".age: maximum 40000, 32767 is the most of User.age",
            ".born: text ×2 is no date as ISO 8601 of User.born",
            ".gone: in no record; User.gone is optional, of type String",
            ".token: text ×1 is no UUID of User.token",
            ".city: array ×1 is no object or key for User.city; first: record 3, ",
        ]
        #expect(outcome.lines.count == begins.count, "\(outcome.text)")
        for (line, begin) in zip(outcome.lines, begins) { #expect(line.hasPrefix(begin), "\(outcome.text)") }
    }
}
