/// A value that an attribute cannot have.
///
///     Book.pages: found a number with a fraction, expected Integer 16; convert the value first
///
/// The value itself is omitted, because it may be confidential.
public struct AttributeError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The entity of the attribute.
    public let entity: String
    /// The attribute.
    public let attribute: String
    /// A description of the value, without the value itself.
    public let found: String
    /// The type of the attribute.
    public let expected: AttributeType

    package init(_ attribute: AttributeProperty, found: String) {
        entity = attribute.entity.name
        self.attribute = attribute.name
        self.found = found
        expected = attribute.type
    }

    /// The attribute, the found and the expected type, and how to proceed.
    public var description: String {
        "\(entity).\(attribute): found \(found), expected \(expected); convert the value first"
    }
}
