import TributaryModel
import TributaryTestSupport

/// Random JSON values for the types of attributes, of which both databases hold all.
enum DumpValues {
    static let types: [AttributeType] = [
        .boolean, .integer16, .integer32, .integer64, .decimal, .double, .float, .string, .date, .uuid, .uri, .binary,
        .json,
    ]
    /// The types whose values can be a key.
    static let keyTypes: [AttributeType] = [.string, .integer64, .integer32, .uuid, .decimal, .date]

    static let texts = [
        "\"\"", "\"a\"", "\" a \"", "\"quote \\\" and ' and \\\\ and \\/\"", "\"tab\\t, line\\nfeed\\r\\n\"",
        "\"e\u{301} \u{E9} \\u00e9\"", "\"👩‍👩‍👧 \\ud83d\\ude00\"", "\"\\u0001\\u001f\u{7F}\"", "\"NULL\"", "\"\\\\N\"",
        "\"\\\\.\"",
        "\"{}\"", "\"\u{FEFF}\u{2028}\u{FFFD}\u{10FFFF}\"", "\"\(String(repeating: "long ", count: 700))\"",
        "\"');DROP TABLE thing;--\"", "\"$1\"",
    ]

    static let dates = [
        "\"1970-01-01T00:00:00Z\"", "\"2000-01-01\"", "\"2024-02-29T23:59:59.999Z\"", "\"1999-12-31T23:59:59.123456Z\"",
        "\"0001-01-01T00:00:00Z\"", "\"9999-12-31T23:59:59Z\"", "\"1883-11-18T12:03:58+01:30\"",
        "\"1969-12-31T23:59:59.5Z\"",
    ]

    /// The values of a type that a test should not miss.
    static func samples(_ type: AttributeType) -> [String] {
        switch type {
        case .boolean: ["true", "false"]
        case .integer16: ["0", "-32768", "32767", "7"]
        case .integer32: ["0", "-2147483648", "2147483647", "7"]
        case .integer64: ["0", "-9223372036854775808", "9223372036854775807", "9007199254740993", "7"]
        case .decimal:
            [
                "0", "-0.0", "1.50", "12345678901234567890.123456789012345678",
                "\"99999999999999999999999999999999999999\"",
                "-0.00000000000000000000000000000000000001", "1e20", "1E-20", "10000", "0.0001", "12340000",
            ]
        case .double:
            [
                "0", "-0.0", "1e308", "-1.7976931348623157e308", "5e-324", "2.2250738585072014e-308", "0.1", "1e22",
                "123456789.123456789", "3", "9007199254740992",
            ]
        case .float: ["0", "-0.0", "0.5", "3.4028234e38", "1.401298464324817e-45", "16777216", "-1.25"]
        case .string: texts
        case .date: dates
        case .uuid: ["\"00000000-0000-0000-0000-000000000000\"", "\"6BA7B810-9dad-11D1-80b4-00c04fd430c8\""]
        case .uri:
            ["\"https://example.com/a%20b?c=d&e=%C3%A9#f\"", "\"urn:isbn:0451450523\"", "\"mailto:a@example.com\""]
        case .binary: ["\"\"", "\"AA==\"", "\"AAECA/8=\"", "\"\(String(repeating: "/9k=", count: 1))\""]
        case .json:
            [
                "{}", "[]", "\"text\"", "1.50", "1e3", "true",
                "{\"b\":1,\"a\":[1,{\"c\":null}],\"\":\"\\u00e9\\ud83d\\ude00\\n\"}",
                "[[[[[]]]]]", "123456789012345678901234567890", "{\"a\":1,\"a\":2}",
            ]
        default: ["null"]
        }
    }

    /// A random value of a type.
    static func value(_ type: AttributeType, _ lots: inout SeededGenerator) -> String {
        if lots.once(in: 3) { return lots.pick(samples(type)) }
        func digits(_ count: Int) -> String {
            "\(1 + lots.below(9))" + (1..<max(2, count)).map { _ in "\(lots.below(10))" }.joined()
        }
        switch type {
        case .boolean: return lots.pick(["true", "false"])
        case .integer16: return "\(lots.below(65_536) - 32_768)"
        case .integer32: return "\(lots.below(1 << 32) - 1 << 31)"
        case .integer64: return "\(Int64(bitPattern: lots.next()))"
        case .decimal:
            let number = lots.pick(["", "-"]) + digits(1 + lots.below(18)) + "." + digits(1 + lots.below(18))
            return lots.once(in: 2) ? number : "\"\(number)\""
        case .double: return "\(lots.pick(["", "-"]))\(digits(17)).5e\(lots.below(600) - 320)"
        case .float: return "\(Float(lots.below(1 << 24)) / 64)"
        case .string: return "\"\(lots.below(50)) \(lots.pick(["é", "x", "\\\"", "🎈", "\\n"]))\""
        case .date:
            func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
            return
                "\"\(1000 + lots.below(8000))-\(two(1 + lots.below(12)))-\(two(1 + lots.below(28)))T"
                + "\(two(lots.below(24))):\(two(lots.below(60))):\(two(lots.below(60))).\(digits(3))Z\""
        case .uuid: return "\"\(uuid(lots.next(), lots.next()))\""
        case .uri: return "\"https://example.com/\(digits(5))\""
        case .binary: return "\"\(lots.pick(["QUJD", "/w==", "AAAA"]))\""
        default:
            var generator = JSONGenerator(lots)
            while true {
                let value = generator.value(depth: 3)
                lots = generator.random
                if !value.contains("\\u0000") { return value }
            }
        }
    }

    private static func uuid(_ high: UInt64, _ low: UInt64) -> String {
        func hex(_ number: UInt64) -> String {
            let text = String(number, radix: 16)
            return String(repeating: "0", count: 16 - text.count) + text
        }
        let text = Array(hex(high) + hex(low))
        return [0..<8, 8..<12, 12..<16, 16..<20, 20..<32].map { String(text[$0]) }.joined(separator: "-")
    }
}
