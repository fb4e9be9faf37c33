/// An error in a filter, with the position and what was expected.
///
///     filter:1:8: found AND, expected a value; character 7
public struct FilterError: Error, Sendable, Hashable {
    /// The kind of failure.
    public let code: Code
    /// The reason as one sentence.
    public let reason: String
    /// The text at the position, for syntax errors.
    public let found: String?
    /// The expected text, for syntax errors.
    public let expected: String?
    /// The position, for errors in a text.
    public var position: FilterPosition?

    /// An error with a reason.
    public init(_ code: Code, _ reason: String, position: FilterPosition? = nil) {
        self.code = code
        self.reason = reason
        self.position = position
        found = nil
        expected = nil
    }

    init(_ code: Code = .syntax, found: String, expected: String, position: FilterPosition) {
        self.code = code
        self.found = found
        self.expected = expected
        self.position = position
        reason = "found \(found), expected \(expected)\(FilterHint.text(for: found, expected: expected))"
    }
}

extension FilterError: CustomStringConvertible {
    /// The position and the reason in one line.
    public var description: String {
        guard let position else { return "filter: \(reason)" }
        return "filter:\(position): \(reason); character \(position.offset)"
    }
}
