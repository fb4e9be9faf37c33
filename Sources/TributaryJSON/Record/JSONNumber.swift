/// A number as it is written in the source, exact whatever its size.
public struct JSONNumber: Sendable, Hashable, CustomStringConvertible {
    /// The text, digit by digit.
    public let description: String

    /// Whether the value is a whole number, as 12, -0, 1.0 and 1e3 are.
    public var isInteger: Bool {
        var text = description
        return text.withUTF8 { NumberText($0).isInteger }
    }

    /// The value as `type`, or nil if `type` cannot hold it exactly.
    public func exactly<Integer: FixedWidthInteger>(_ type: Integer.Type = Integer.self) -> Integer? {
        var text = description
        return text.withUTF8 { NumberText($0).integer().flatMap { Integer(exactly: $0) } }
    }
}

extension JSONNumber: JSONConvertible {
    /// Any number.
    public init(json: JSON) throws {
        guard json.kind == .number else { throw json.mismatch(expected: "a number") }
        description = json.rawText
    }
}
