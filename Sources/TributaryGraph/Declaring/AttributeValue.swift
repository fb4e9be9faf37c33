/// A Swift type that an `@Attribute` can have.
///
/// A type of your own conforms by forwarding to a type that conforms, or is used as `Codable` in a `Transformable`.
public protocol AttributeValue {
    /// The type without nil; `Self` for types that are not optional.
    associatedtype Unwrapped: AttributeValue = Self
    /// The attribute type in models.
    static var attributeType: AttributeType { get }
    /// Whether nil is one of its values.
    static var isOptionalAttribute: Bool { get }
    /// The value in `slot`; a type that is not optional reads null as its zero value.
    static func read(_ row: Row, _ slot: Int) -> Self
    /// Stores the value in `slot`.
    func write(_ row: Row, _ slot: Int)
    /// Whether `slot` holds an equal value.
    func isEqual(_ row: Row, _ slot: Int) -> Bool
}

extension AttributeValue {
    /// False, except for optionals.
    @inlinable public static var isOptionalAttribute: Bool { false }
}

/// An attribute whose value may be missing, or a relationship to one object or none.
extension Optional: AttributeValue where Wrapped: AttributeValue {
    /// The wrapped type without nil.
    public typealias Unwrapped = Wrapped.Unwrapped
    /// The attribute type of the wrapped type.
    @inlinable public static var attributeType: AttributeType { Wrapped.attributeType }
    /// True.
    @inlinable public static var isOptionalAttribute: Bool { true }
    /// The value, or nil if the slot is null.
    @inlinable
    @inline(__always)
    public static func read(_ row: Row, _ slot: Int) -> Wrapped? {
        row.kind(slot) == .null ? nil : Wrapped.read(row, slot)
    }
    /// Stores the value, or null.
    @inlinable
    @inline(__always)
    public func write(_ row: Row, _ slot: Int) {
        switch self {
        case .none: row.clear(slot)
        case .some(let value): value.write(row, slot)
        }
    }
    /// Whether the values are equal or both are nil.
    @inlinable
    @inline(__always)
    public func isEqual(_ row: Row, _ slot: Int) -> Bool {
        switch self {
        case .none: row.kind(slot) == .null
        case .some(let value): value.isEqual(row, slot)
        }
    }
}
