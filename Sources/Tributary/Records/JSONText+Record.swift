public import TributaryStore
import TributaryImport
public import TributaryJSON

extension JSONText: JSONConvertible {
    /// The text of a value of a record, without white space.
    ///
    ///     user.tags = record["tags"]
    ///
    /// - Throws: `JSONError` if it is nested deeper than 512 levels.
    public init(json: JSON) throws { self.init(trusting: try Coercion.compactText(json)) }
}
