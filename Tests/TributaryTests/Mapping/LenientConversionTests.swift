import Testing
import TributaryGraph
import TributarySQLite

import Tributary

/// The conversions of RZImport, and what is strict without them.
@Suite struct LenientConversionTests {
    private static let types: [AttributeType] = [
        .string, .integer64, .integer16, .double, .decimal, .boolean, .date,
    ]
    /// A JSON value, and for each type the stored value; nil if it does not fit.
    private static let table: [(json: String, values: [SQLValue?])] = [
        ("null", [.null, .null, .null, .null, .null, .null, .null]),
        ("666", [.text("666"), 666, 666, .real(666), .text("666"), 1, .real(666)]),
        ("0", [.text("0"), 0, 0, .real(0), .text("0"), 0, .real(0)]),
        ("1.50", [.text("1.5"), nil, nil, .real(1.5), .text("1.5"), 1, .real(1.5)]),
        ("70000", [.text("70000"), 70000, nil, .real(70000), .text("70000"), 1, .real(70000)]),
        ("true", [.text("1"), 1, 1, .real(1), .text("1"), 1, nil]),
        ("false", [.text("0"), 0, 0, .real(0), .text("0"), 0, nil]),
        ("\"666\"", [.text("666"), 666, 666, .real(666), .text("666"), 1, nil]),
        ("\"1,234.5\"", [.text("1,234.5"), nil, nil, .real(1234.5), .text("1234.5"), 1, nil]),
        ("\"12,345\"", [.text("12,345"), 12345, 12345, .real(12345), .text("12345"), 1, nil]),
        ("\"12,34\"", [.text("12,34"), nil, nil, nil, nil, 1, nil]),
        ("\" 007 \"", [.text(" 007 "), 7, 7, .real(7), .text("7"), 1, nil]),
        ("\"-.5\"", [.text("-.5"), nil, nil, .real(-0.5), .text("-0.5"), 0, nil]),
        ("\"ten\"", [.text("ten"), nil, nil, nil, nil, 1, nil]),
        ("\"\"", [.text(""), nil, nil, nil, nil, 0, nil]),
        ("\"1970-01-02\"", [.text("1970-01-02"), nil, nil, nil, nil, 1, .real(86400)]),
        ("[1]", [nil, nil, nil, nil, nil, nil, nil]),
        ("{\"a\":1}", [nil, nil, nil, nil, nil, nil, nil]),
    ]

    private func store() throws -> MappedStore {
        try MappedStore(LenientConversionTests.types.map { AttributeDescription("\($0)", $0) })
    }

    @Test func valuesOfOtherTypes() throws {
        let store = try store()
        var mapping = Mapping()
        mapping.conversion = .lenient
        mapping.mismatch = .keep
        var misfits = 0
        for (number, line) in LenientConversionTests.table.enumerated() {
            let members = LenientConversionTests.types.map { "\"\($0)\":\(line.json)" }.joined(separator: ",")
            let summary = try store.take("[{\"id\":\(number),\(members)}]", mapping)
            #expect(summary.inserted == 1, "\(line.json)")
            misfits += (summary.mapping?["Thing"]?.unfit ?? [:]).values.reduce(0, +)
        }
        for (column, type) in LenientConversionTests.types.enumerated() {
            let values = try store.values("\(type)")
            for (line, value) in zip(LenientConversionTests.table, values) {
                #expect(value == line.values[column] ?? .null, "\(line.json) as \(type)")
            }
        }
        #expect(misfits == LenientConversionTests.table.reduce(0) { $0 + $1.values.count { $0 == nil } })
    }

    /// Without the switch a value of another type rejects its record, which names the place.
    @Test func strictByDefault() throws {
        let store = try store()
        for type in LenientConversionTests.types where type != .string {
            let summary = try store.take("[{\"id\":1,\"\(type)\":\"ten\"}]")
            #expect(summary.rejected == 1, "\(type)")
        }
        #expect(try store.take("[{\"id\":1,\"\(AttributeType.string)\":666}]").rejected == 1)
        let reasons = try store.reasons()
        #expect(reasons.count == LenientConversionTests.types.count && reasons.allSatisfy { $0.contains("$[0]") })
    }

    @Test(arguments: [
        ("no", false), ("NO", false), ("n", false), ("N", false), ("0", false), ("false", false), ("null", false),
        (" 0", false), (" 0 ", false), (" 0.0 ", false), ("NOT a number", false), ("yes", true), ("YES", true),
        ("Y", true), ("1", true), ("-1", true), ("42", true), ("true", true), (" 1", true), (" 1 ", true),
        (" 42", true), ("+007", true),
    ])
    func wordsAsTruthValues(_ word: String, _ expected: Bool) {
        #expect(Coercion.isTrue(word) == expected)
    }

    /// Null becomes 0 or false where there must be a value.
    @Test func nullWhereThereMustBeAValue() throws {
        var number = AttributeDescription("number", .integer32)
        number.isOptional = false
        var flag = AttributeDescription("flag", .boolean)
        flag.isOptional = false
        let store = try MappedStore([number, flag])
        var mapping = Mapping()
        mapping.conversion = .lenient
        #expect(try store.take("[{\"id\":1,\"number\":null,\"flag\":null}]", mapping).inserted == 1)
        #expect(try store.rows("SELECT number, flag FROM Thing") == [[0, 0]])
        #expect(try store.take("[{\"id\":2,\"number\":null,\"flag\":null}]").rejected == 1)
    }
}
