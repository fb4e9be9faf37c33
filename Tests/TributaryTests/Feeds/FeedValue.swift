import Foundation
import TributaryGraph
import TributarySQLite

/// A JSON value of a feed, and the value that the store must keep for it.
struct FeedValue: Sendable {
    let json: String
    /// The stored value; nil if the record must be rejected.
    let stored: SQLValue?

    init(_ json: String, _ stored: SQLValue?) {
        self.json = json
        self.stored = stored
    }

    /// Values of a type, good and bad ones.
    static func samples(of type: AttributeType, isKey: Bool) -> [FeedValue] {
        let samples = plain[type] ?? []
        guard isKey else { return samples }
        // Keys convert between numbers and text.
        let meeting = met[type] ?? []
        return samples.filter { sample in !meeting.contains { $0.json == sample.json } } + meeting
    }

    private static let met: [AttributeType: [FeedValue]] = [
        .integer64: [FeedValue("\"12\"", 12), FeedValue("\"-3\"", -3), FeedValue("\"1x\"", nil)],
        .integer32: [FeedValue("\"12\"", 12), FeedValue("\"7\"", 7)],
        .integer16: [FeedValue("\"12\"", 12), FeedValue("\"40000\"", nil)],
        .string: [FeedValue("12", "12"), FeedValue("-3", "-3"), FeedValue("0", "0")],
    ]

    private static let plain: [AttributeType: [FeedValue]] = [
        .integer64: [
            FeedValue("0", 0), FeedValue("7", 7), FeedValue("-3", -3), FeedValue("12", 12), FeedValue("1.0", 1),
            FeedValue("1e3", 1000), FeedValue("9223372036854775807", .integer(.max)),
            FeedValue("-9223372036854775808", .integer(.min)), FeedValue("9007199254740993", 9_007_199_254_740_993),
            FeedValue("9007199254740992", 9_007_199_254_740_992), FeedValue("9223372036854775808", nil),
            FeedValue("1.5", nil), FeedValue("\"12\"", nil), FeedValue("true", nil), FeedValue("[1]", nil),
        ],
        .integer32: [
            FeedValue("0", 0), FeedValue("12", 12), FeedValue("2147483647", 2_147_483_647), FeedValue("70000", 70000),
            FeedValue("2147483648", nil), FeedValue("\"12\"", nil), FeedValue("{}", nil),
        ],
        .integer16: [
            FeedValue("0", 0), FeedValue("-32768", -32768), FeedValue("200", 200), FeedValue("32768", nil),
            FeedValue("\"12\"", nil),
        ],
        .double: [
            FeedValue("0", 0.0), FeedValue("2", 2.0), FeedValue("1.5", 1.5), FeedValue("1e300", 1e300),
            FeedValue("0.1", 0.1), FeedValue("-7.25e-3", -0.00725), FeedValue("1e999", nil), FeedValue("\"1\"", nil),
        ],
        .float: [FeedValue("0.5", 0.5), FeedValue("0.1", .real(Double(Float(0.1)))), FeedValue("\"1\"", nil)],
        .decimal: [
            FeedValue("0.10", "0.1"), FeedValue("12345678901234567890.5", "12345678901234567890.5"),
            FeedValue("\"3.50\"", "3.5"), FeedValue("-1", "-1"), FeedValue("\"x\"", nil), FeedValue("true", nil),
        ],
        .string: [
            FeedValue("\"\"", ""), FeedValue("\"a\"", "a"), FeedValue("\"A\"", "A"), FeedValue("\"\u{E9}\"", "\u{E9}"),
            FeedValue("\"e\\u0301\"", "e\u{301}"), FeedValue("\"a\\u0000b\"", "a\u{0}b"),
            FeedValue("\"a\\u0000\"", "a\u{0}"), FeedValue("\"\\ud83d\\ude00\"", "\u{1F600}"),
            FeedValue("\"\u{FFFD}\u{10FFFF}\"", "\u{FFFD}\u{10FFFF}"), FeedValue("\"12345678a\"", "12345678a"),
            FeedValue("\"12345678b\"", "12345678b"), FeedValue("\"it's \\\"\\\\\\n\"", "it's \"\\\n"),
            FeedValue("\"\(String(repeating: "x", count: 300))\"", .text(String(repeating: "x", count: 300))),
            FeedValue("12", nil), FeedValue("true", nil), FeedValue("[\"a\"]", nil),
        ],
        .boolean: [FeedValue("true", 1), FeedValue("false", 0), FeedValue("1", nil), FeedValue("\"true\"", nil)],
        .date: [
            FeedValue("\"2024-05-01\"", 1_714_521_600.0), FeedValue("\"2024-05-01T12:00:00.5Z\"", 1_714_564_800.5),
            FeedValue("\"1970-01-01T01:00:00+01:00\"", 0.0), FeedValue("12", nil), FeedValue("\"soon\"", nil),
        ],
        .uuid: [
            FeedValue("\"6ba7b810-9dad-11d1-80b4-00c04fd430c8\"", "6BA7B810-9DAD-11D1-80B4-00C04FD430C8"),
            FeedValue("\"6BA7B811-9dad-11d1-80b4-00c04fd430c8\"", "6BA7B811-9DAD-11D1-80B4-00C04FD430C8"),
            FeedValue("\"6ba7\"", nil),
        ],
        .uri: [
            FeedValue("\"https://example.org/a?b=c\"", "https://example.org/a?b=c"), FeedValue("\"x:y\"", "x:y"),
            FeedValue("5", nil),
        ],
        .binary: [
            FeedValue("\"AAEC\"", .blob([0, 1, 2])), FeedValue("\"_-8\"", .blob([255, 239])),
            FeedValue("\"\"", .blob([])), FeedValue("\"*\"", nil),
        ],
        .json: [
            FeedValue("[1, 2.50]", "[1,2.50]"), FeedValue("{ \"a\" : { } }", "{\"a\":{}}"), FeedValue("\"x\"", "\"x\""),
            FeedValue("true", "true"), FeedValue("12", "12"),
        ],
    ]
}

extension SQLValue {
    /// A whole number as an integer, also if it is stored as a double: declared types decide between both.
    var byValue: SQLValue {
        guard case .real(let number) = self, let whole = Int64(exactly: number) else { return self }
        return number == 0 && number.sign == .minus ? self : .integer(whole)
    }

    /// The value as text that differs if any byte does, unlike strings, which compare by canonical equivalence.
    var exact: String {
        switch self {
        case .null: "-"
        case .integer(let value): "\(value)"
        case .real(let value): "\(value)r"
        case .text(let text): "'" + text.utf8.map { String($0, radix: 16) }.joined(separator: " ") + "'"
        case .blob(let bytes): "<" + bytes.map { String($0, radix: 16) }.joined(separator: " ") + ">"
        }
    }
}
