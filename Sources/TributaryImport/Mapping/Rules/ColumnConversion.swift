import TributaryJSON

/// A conversion of the values of a column.
///
///     trim         " a " → "a"
///     number       "+1,234.50" → 1234.5
///     epoch        1714521600 → "2024-05-01T00:00:00.000Z"
///     date:d.M.yyyy     "1.5.2024" → "2024-05-01"
public struct ColumnConversion: Sendable, Hashable, Codable {
    enum Kind: Sendable, Hashable {
        case trim, lower, upper, number
        case date(DateFormat)
    }

    /// The words of conversions, of which `date` may have a pattern after a colon.
    package static let words = ["date", "date:PATTERN", "epoch", "epoch-ms", "number", "trim", "lower", "upper"]

    /// Its text.
    public let text: String
    let kind: Kind

    /// The conversion that a text names; nil if there is none, or if its pattern has a letter without a meaning.
    public init?(_ text: String) {
        self.text = text
        switch text {
        case "trim": kind = .trim
        case "lower": kind = .lower
        case "upper": kind = .upper
        case "number": kind = .number
        case "date": kind = .date(.iso8601)
        case "epoch": kind = .date(.epochSeconds)
        case "epoch-ms": kind = .date(.epochMilliseconds)
        default:
            guard text.hasPrefix("date:"), text.count > 5, let format = DateFormat(pattern: String(text.dropFirst(5)))
            else { return nil }
            kind = .date(format)
        }
    }

    /// Reads a conversion from its text.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let conversion = ColumnConversion(text) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "\(text) is no conversion")
        }
        self = conversion
    }

    /// Writes its text.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}
