/// A Swift type that an `@Attribute` can have.
///
/// Your own types join by way of one that is here, or with `Codable` through `Transformable`.
public protocol AttributeValue {
    /// The type without nil; itself if nil is none of its values.
    associatedtype Unwrapped: AttributeValue = Self
    /// What a model says of it.
    static var attributeType: AttributeType { get }
    /// Whether nil is one of its values.
    static var isOptionalAttribute: Bool { get }
    /// The value in `slot`; what is not optional and not there yet reads as a zero of its type.
    static func read(_ row: Row, _ slot: Int) -> Self
    /// Puts the value into `slot`.
    func write(_ row: Row, _ slot: Int)
    /// Whether `slot` holds the value already.
    func isEqual(_ row: Row, _ slot: Int) -> Bool
}

extension AttributeValue {
    /// False; true for optionals.
    @inlinable public static var isOptionalAttribute: Bool { false }
}

extension Optional: AttributeValue where Wrapped: AttributeValue {
    /// That of the value.
    public typealias Unwrapped = Wrapped.Unwrapped
    /// That of the value.
    @inlinable public static var attributeType: AttributeType { Wrapped.attributeType }
    /// True.
    @inlinable public static var isOptionalAttribute: Bool { true }
    /// Nil where nothing is.
    @inlinable
    @inline(__always)
    public static func read(_ row: Row, _ slot: Int) -> Wrapped? {
        row.kind(slot) == .null ? nil : Wrapped.read(row, slot)
    }
    /// Nothing, or the value.
    @inlinable
    public func write(_ row: Row, _ slot: Int) {
        switch self {
        case .none: row.clear(slot)
        case .some(let value): value.write(row, slot)
        }
    }
    /// Whether both are nothing, or equal.
    @inlinable
    public func isEqual(_ row: Row, _ slot: Int) -> Bool {
        switch self {
        case .none: row.kind(slot) == .null
        case .some(let value): value.isEqual(row, slot)
        }
    }
}
