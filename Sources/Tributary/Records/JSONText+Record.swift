public import TributaryGraph
public import TributaryJSON

extension JSONText: JSONConvertible {
    /// A value of a record as it stands there, without blanks.
    ///
    ///     user.tags = record["tags"]
    ///
    /// - Throws: `JSONError` if it is nested deeper than 512 levels.
    public init(json: JSON) throws { self.init(trusting: try Coercion.compactText(json)) }
}
