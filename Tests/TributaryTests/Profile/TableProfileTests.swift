import Foundation
import Testing
import Tributary
import TributaryImport
import TributaryJSON
import TributarySQLite
import TributaryStore
import TributaryTestSupport

/// Profiles of tables, compared with those of the same rows that a second hand writes.
@Suite struct TableProfileTests {
    private let folder: TemporaryFolder
    private var path: String { folder.path("app.sqlite") }

    init() throws { folder = try TemporaryFolder() }

    private static func random(_ lots: inout SeededGenerator) -> SQLValue {
        let pieces = ["a", "ß", "\"", "\\", "\n", "\t", "\u{1}", "😀", "e\u{301}", "{", "[1]", "2026-03-12", "7", " "]
        switch lots.below(6) {
        case 0: return .null
        case 1: return .integer(lots.pick([0, 1, -1, 1 << 53, .max, .min, Int64(lots.below(1000))]))
        case 2:
            return .real(
                lots.pick([0.1, 1e300, Double.leastNonzeroMagnitude, -2.5, 1e16, Double(lots.below(1000)) / 8]))
        case 3: return .blob((0..<lots.below(5)).map { _ in UInt8(lots.below(256)) })
        default: return .text((0..<lots.below(4)).map { _ in lots.pick(pieces) }.joined())
        }
    }

    // MARK: The second hand

    private static func quoted(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": quoted += "\\\""
            case "\\": quoted += "\\\\"
            case "\n": quoted += "\\n"
            case "\t": quoted += "\\t"
            case "\u{1}": quoted += "\\u0001"
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }

    private static func text(_ value: SQLValue) -> String {
        switch value {
        case .null: "null"
        case .integer(let number): "\(number)"
        case .real(let number): "\(number)"
        case .text(let text): quoted(text)
        case .blob(let bytes): "\"\(Data(bytes).base64EncodedString())\""
        }
    }

    private static func line(_ names: [String], _ row: [SQLValue]) -> String {
        "{" + zip(names, row).map { "\(quoted($0)):\(text($1))" }.joined(separator: ",") + "}"
    }

    private func make(_ table: String, _ names: [String], _ rows: [[SQLValue]]) throws {
        let connection = try Connection(.file(path))
        let columns = names.map { name -> SQLFragment in "\(identifier: name)" }
        try connection.execute("CREATE TABLE \(identifier: table) (\(columns))")
        try connection.transaction {
            for row in rows {
                let values = row.map { SQLFragment($0) }
                try connection.execute("INSERT INTO \(identifier: table) VALUES (\(values))")
            }
        }
    }

    private func source(_ names: [String]? = nil) throws -> TableSource {
        TableSource(path, try #require(try ReadableTable.read(path) { names ?? $0.tables }))
    }

    private func read(_ source: any ByteSource) throws -> String {
        let stream = try source.open()
        var bytes: [UInt8] = []
        try withUnsafeTemporaryAllocation(byteCount: 97, alignment: 8) { buffer in
            while case let count = try stream.read(into: buffer), count > 0 { bytes += buffer[..<count] }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    // MARK: Tests

    @Test("The profile of a table is that of the same rows as NDJSON", arguments: [1, 3])
    func oneTable(_ parsers: Int) throws {
        var lots = SeededGenerator.fresh()
        let seed = lots.seed
        let names = ["id", "odd \"name\"", "c", "d"]
        let rows = (0..<2000).map { number in [.integer(Int64(number))] + (1..<4).map { _ in Self.random(&lots) } }
        try make("some \"rows\"", names, rows)
        let source = try source()
        let text = rows.map { Self.line(names, $0) + "\n" }.joined()
        #expect(try read(source) == text, "seed \(seed)")
        var reading = source.reading(ReadOptions())
        reading.parsers = parsers
        let (one, other) = (
            try DumpProfile(of: [source], reading: reading),
            try DumpProfile(of: [MemorySource(Array(text.utf8), name: "rows.ndjson")], reading: reading)
        )
        #expect(one.records == other.records && one.keys == other.keys, "seed \(seed)")
        #expect(one.recordCount == 2000 && one.damage.count == 0 && one.isWhole, "seed \(seed)")
        #expect(one.sources.first?.tables == ["some \"rows\""] && other.sources.first?.tables == nil)
        #expect(one.sources.first?.mark == nil && one.sources.first?.layout == "table some \"rows\"")
    }

    @Test("Several tables are the arrays of one object, also empty ones")
    func severalTables() throws {
        let users = (0..<40).map { [SQLValue.integer(Int64($0)), .text("u\($0)")] }
        let orders = (0..<80).map { [SQLValue.integer(Int64(1000 + $0)), .integer(Int64($0 % 40))] }
        try make("users", ["id", "name"], users)
        try make("a.b", ["x"], [])
        try make("orders", ["id", "user_id"], orders)
        let source = try source()
        func array(_ names: [String], _ rows: [[SQLValue]]) -> String {
            rows.map { "\n" + Self.line(names, $0) }.joined(separator: ",")
        }
        let text =
            "{\"users\":[\(array(["id", "name"], users))],\n\"a.b\":[],\n"
            + "\"orders\":[\(array(["id", "user_id"], orders))]}\n"
        #expect(try read(source) == text)
        let profile = try DumpProfile(of: [source], reading: source.reading(ReadOptions()))
        #expect(profile.recordCount == 120 && profile.sources.first?.layout == "3 tables")
        let reference = try #require(profile.references.first)
        #expect(reference.path == [.member("orders"), .elements, .member("user_id")])
        #expect(reference.target == [.member("users"), .elements, .member("id")] && reference.dangling == 0)
        let empty = try self.source(["a.b"])
        #expect(try DumpProfile(of: [empty], reading: empty.reading(ReadOptions())).recordCount == 0)
    }

    @Test("Infinity is text, and invalid UTF-8 is repaired")
    func oddValues() throws {
        try make("t", ["a", "b"], [[.real(.infinity), .real(-.infinity)]])
        try Connection(.file(path)).execute("INSERT INTO \"t\" VALUES (CAST(x'61ff62' AS TEXT), '\u{FFFD}')")
        #expect(
            try read(source())
                == "{\"a\":\"Infinity\",\"b\":\"-Infinity\"}\n{\"a\":\"a\u{FFFD}b\",\"b\":\"\u{FFFD}\"}\n")
    }

    @Test("Rows of a model have its dates, booleans, numbers, JSON and keys of links")
    func modelRows() throws {
        var city = EntityDescription("City")
        city.attributes = [AttributeDescription("code", .string)]
        city.uniquenessConstraints = [["code"]]
        var user = EntityDescription("User")
        user.attributes = [
            AttributeDescription("born", .date), AttributeDescription("isActive", .boolean),
            AttributeDescription("price", .decimal), AttributeDescription("more", .json),
            AttributeDescription("share", .float), AttributeDescription("name", .string),
        ]
        user.relationships = [RelationshipDescription("city", to: "City")]
        do { _ = try ContextManager(model: Model(ModelDescription([city, user])), store: .sqlite(path)) }
        let connection = try Connection(.file(path))
        try connection.execute("INSERT INTO \"City\" (\"_pk\", \"code\") VALUES (5, 'B')")
        try connection.execute(
            """
            INSERT INTO "User" ("born", "isActive", "price", "more", "share", "name", "city")
            VALUES (951782400.5, 1, '0.10', '{"a":[1.50]}', \(Double(Float(0.1))), '{"no":1}', 5)
            """)
        #expect(
            try read(source(["User"]))
                == """
                {"born":"2000-02-29T00:00:00.5Z","isActive":true,"price":0.10,"more":{"a":[1.50]},"share":0.1,\
                "name":"{\\"no\\":1}","city":"B"}

                """)
    }

    @Test("A moment is read again from its text")
    func moments() throws {
        var lots = SeededGenerator.fresh()
        let seed = lots.seed
        for round in 0..<20_000 {
            var seconds = Double(lots.below(1 << 38)) - Double(1 << 35) + Double(lots.below(1 << 20)) / Double(1 << 20)
            if round % 2 == 0 { seconds = (seconds * 1000).rounded() / 1000 }
            guard seconds < 253_402_300_800 else { continue }
            let text = try #require(ISO8601Text.text(of: seconds), "seed \(seed), \(seconds)")
            let again = Array(text.utf8).withUnsafeBufferPointer { TributaryJSON.RawValue.date($0) }
            #expect(again == seconds, "seed \(seed), \(text)")
        }
        #expect(ISO8601Text.text(of: 1_714_521_600) == "2024-05-01T00:00:00Z")
        #expect(ISO8601Text.text(of: 1e12) == nil && ISO8601Text.text(of: -1e12) == nil)
    }
}
