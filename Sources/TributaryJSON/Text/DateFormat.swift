/// How a date is written in a source.
///
///     try record.date("born", format: .iso8601)
///     try record.date("seen", format: .epochMilliseconds)
///     try record.date("due", format: .pattern("dd.MM.yyyy HH:mm"))
///     try record.date("at", format: .any(of: .iso8601, .epochSeconds))
public struct DateFormat: Sendable, Hashable, CustomStringConvertible {
    private indirect enum Kind: Sendable, Hashable {
        case iso8601(secondsFromGMT: Int)
        case epoch(unitsPerSecond: Double, name: String)
        case pattern(DatePattern)
        case any([DateFormat])
    }
    private let kind: Kind

    /// ISO 8601 and RFC 3339: calendar, week and ordinal dates, basic or extended, with or without time, fraction
    /// and zone, `T` or a blank between.
    ///
    /// Without a zone the time is UTC.
    public static let iso8601 = DateFormat.iso8601(secondsFromGMT: 0)

    /// ISO 8601, where a time without a zone is `secondsFromGMT` ahead of UTC.
    public static func iso8601(secondsFromGMT: Int) -> DateFormat {
        DateFormat(kind: .iso8601(secondsFromGMT: secondsFromGMT))
    }

    /// Seconds since 1970, a number or a number in quotes.
    public static let epochSeconds = DateFormat(kind: .epoch(unitsPerSecond: 1, name: "seconds since 1970"))
    /// Milliseconds since 1970, a number or a number in quotes.
    public static let epochMilliseconds = DateFormat(kind: .epoch(unitsPerSecond: 1e3, name: "milliseconds since 1970"))
    /// Microseconds since 1970, a number or a number in quotes.
    public static let epochMicroseconds = DateFormat(kind: .epoch(unitsPerSecond: 1e6, name: "microseconds since 1970"))

    /// A custom pattern in the letters of Unicode: `yyyy yy MMMM MMM MM M dd d EEEE EEE HH H hh h mm ss S a Z
    /// XXX`, names in English, other text in single quotes.
    ///
    /// Without a zone the time is UTC. A pattern with an unknown letter stops the program, because patterns are part of
    /// the source code.
    public static func pattern(_ text: String, secondsFromGMT: Int = 0) -> DateFormat {
        guard let pattern = DatePattern(text, secondsFromGMT: secondsFromGMT) else {
            preconditionFailure("the date pattern \(text) has a letter that is not supported")
        }
        return DateFormat(kind: .pattern(pattern))
    }

    /// A custom pattern from user input; nil if it has a letter that is not supported.
    public init?(pattern text: String, secondsFromGMT: Int = 0) {
        guard let pattern = DatePattern(text, secondsFromGMT: secondsFromGMT) else { return nil }
        kind = .pattern(pattern)
    }

    /// The first of several formats that matches.
    public static func any(of formats: DateFormat...) -> DateFormat { DateFormat(kind: .any(formats)) }

    private init(kind: Kind) { self.kind = kind }

    /// The name for messages, as in `ISO 8601` or `seconds since 1970`.
    public var description: String {
        switch kind {
        case .iso8601: "ISO 8601"
        case .epoch(_, let name): name
        case .pattern(let pattern): pattern.text
        case .any(let formats): formats.map(\.description).joined(separator: " or ")
        }
    }

    /// Whether dates have a time of day: a pattern may have none.
    package var hasTime: Bool { if case .pattern(let pattern) = kind { pattern.hasTime } else { true } }

    /// The seconds since 1970 that `text` denotes, or nil if it does not match.
    package func seconds(_ text: String, isText: Bool) -> Double? {
        switch kind {
        case .iso8601(let offset):
            guard isText else { return nil }
            var text = text
            return text.withUTF8 { bytes in
                var parser = ISO8601(bytes, secondsFromGMT: offset)
                return parser.parse()
            }
        case .epoch(let units, _):
            // `Double` also accepts "nan" and "0x1p3", which are not numbers of JSON.
            if isText, !text.utf8.allSatisfy({ $0.isDigit || "+-.eE".utf8.contains($0) }) { return nil }
            return Double(text).map { $0 / units }.flatMap { $0.isFinite ? $0 : nil }
        case .pattern(let pattern): return isText ? pattern.seconds(text) : nil
        case .any(let formats): return formats.lazy.compactMap { $0.seconds(text, isText: isText) }.first
        }
    }
}
