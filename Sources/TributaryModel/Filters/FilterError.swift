/// What is wrong with a filter: what was found, what was expected, and where.
///
///     filter:1:8: found AND, expected a value; character 7
public struct FilterError: Error, Sendable, Hashable {
    /// A stable name for the kind of failure.
    public let code: Code
    /// One sentence for a person.
    public let reason: String
    /// What stands in the place, for errors of the text.
    public let found: String?
    /// What should stand there, for errors of the text.
    public let expected: String?
    /// Where, for errors of the text.
    public var position: FilterPosition?

    /// An error that is told in one sentence.
    public init(_ code: Code, _ reason: String, position: FilterPosition? = nil) {
        self.code = code
        self.reason = reason
        self.position = position
        found = nil
        expected = nil
    }

    /// An error of the text.
    init(_ code: Code = .syntax, found: String, expected: String, position: FilterPosition) {
        self.code = code
        self.found = found
        self.expected = expected
        self.position = position
        reason = "found \(found), expected \(expected)"
    }
}

extension FilterError: CustomStringConvertible {
    /// One line for a person: place and reason.
    public var description: String {
        guard let position else { return "filter: \(reason)" }
        return "filter:\(position): \(reason); character \(position.offset)"
    }
}
