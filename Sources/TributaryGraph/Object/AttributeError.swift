/// A value that an attribute cannot have.
///
///     Book.pages: found a number with a fraction, expected Integer 16; convert the value first
///
/// The value itself is not told: it may be nobody's business.
public struct AttributeError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The entity of the attribute.
    public let entity: String
    /// The attribute.
    public let attribute: String
    /// What was there instead.
    public let found: String
    /// What the attribute holds.
    public let expected: AttributeType

    init(_ attribute: AttributeProperty, found: String) {
        entity = attribute.entity.name
        self.attribute = attribute.name
        self.found = found
        expected = attribute.type
    }

    /// The whole sentence: where, what, how to go on.
    public var description: String {
        "\(entity).\(attribute): found \(found), expected \(expected); convert the value first"
    }
}
