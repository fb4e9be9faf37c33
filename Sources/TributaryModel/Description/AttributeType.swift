/// The type of the values of an attribute.
public struct AttributeType: Sendable, Hashable, CustomStringConvertible {
    /// The types, in an internal enum so that cases can be added.
    package enum Kind: String, Sendable, CaseIterable {
        case integer16 = "Integer 16"
        case integer32 = "Integer 32"
        case integer64 = "Integer 64"
        case decimal = "Decimal"
        case double = "Double"
        case float = "Float"
        case string = "String"
        case boolean = "Boolean"
        case date = "Date"
        case binary = "Binary"
        case uuid = "UUID"
        case uri = "URI"
        case transformable = "Transformable"
        case json = "JSON"
        case objectID = "ObjectID"
        case undefined = "Undefined"
    }

    /// The type as an enum.
    package let kind: Kind

    package init(kind: Kind) { self.kind = kind }

    /// The name in model files, except `JSON`, which model files write as `Transformable`.
    public var description: String { kind.rawValue }

    /// A whole number; the width is not enforced.
    public static let integer16 = AttributeType(kind: .integer16)
    /// A whole number; the width is not enforced.
    public static let integer32 = AttributeType(kind: .integer32)
    /// A whole number.
    public static let integer64 = AttributeType(kind: .integer64)
    /// A number with exact decimals.
    public static let decimal = AttributeType(kind: .decimal)
    /// A floating point number.
    public static let double = AttributeType(kind: .double)
    /// A floating point number of single precision.
    public static let float = AttributeType(kind: .float)
    /// Text.
    public static let string = AttributeType(kind: .string)
    /// True or false.
    public static let boolean = AttributeType(kind: .boolean)
    /// A date and time.
    public static let date = AttributeType(kind: .date)
    /// Bytes.
    public static let binary = AttributeType(kind: .binary)
    /// A UUID.
    public static let uuid = AttributeType(kind: .uuid)
    /// A URL.
    public static let uri = AttributeType(kind: .uri)
    /// A value that a transformer converts to bytes.
    public static let transformable = AttributeType(kind: .transformable)
    /// A JSON value, stored as its text.
    public static let json = AttributeType(kind: .json)
    /// The ID of an object; transient attributes only.
    public static let objectID = AttributeType(kind: .objectID)
    /// Anything; transient attributes only.
    public static let undefined = AttributeType(kind: .undefined)
}
