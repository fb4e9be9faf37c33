/// An error in a source or a record: what happened, where, and how to resolve it.
///
/// The description is one line:
///
///     users.json:3:17: found x, expected a value; byte 211, record 12, at $[11].name, near {"id":12,"name":x
public struct JSONError: Error, Sendable, Hashable {
    /// A stable name for the kind of failure, safe to store and compare.
    public let code: Code
    /// What was found and what was expected.
    public var reason: String
    /// A remedy, if there is one.
    public var hint: String?
    /// The position of the failure, if it has one.
    public var position: SourcePosition?
    /// The number of the record in its source, from 1.
    public var record: Int?
    /// The JSON path of the value, as `$.rows[3].name`.
    public var path: String?
    /// A few bytes of the text around the position, with control characters escaped.
    public var excerpt: String?

    /// Makes an error, whose record and path are not known yet.
    public init(_ code: Code, _ reason: String, hint: String? = nil, position: SourcePosition? = nil) {
        self.code = code
        self.reason = reason
        self.hint = hint
        self.position = position
    }
}

extension JSONError: CustomStringConvertible {
    /// One readable line: position, reason, context, hint.
    public var description: String {
        var text = (position.map { "\($0): " } ?? "") + reason
        var context: [String] = []
        if let position { context.append("byte \(position.byte)") }
        if let record { context.append("record \(record)") }
        if let path { context.append("at \(path)") }
        if let excerpt { context.append("near \(excerpt)") }
        if !context.isEmpty { text += "; " + context.joined(separator: ", ") }
        if let hint { text += "; \(hint)" }
        return text
    }
}
