#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A value of any `Codable` type as an attribute, kept as its bytes.
///
///     final class Palette: ManagedObject {
///         @Attribute var main: Transformable<Colour>?
///     }
///     palette.main = try Transformable(.red)
///     try palette.main?.value                     // .red
///
/// The bytes are JSON with sorted keys, so that equal values have equal bytes. Bytes that somebody else has written stay
/// as they are until a new value is set; reading them as what they are not throws.
public struct Transformable<Value: Codable & Sendable>: Sendable, Hashable {
    /// The bytes.
    public let data: Data

    /// A value as its bytes.
    ///
    /// - Throws: what the value throws when it is encoded.
    public init(_ value: Value) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        data = try encoder.encode(value)
    }

    /// Bytes as they are, whether they can be read or not.
    public init(data: Data) { self.data = data }

    /// The value.
    ///
    /// - Throws: `DecodingError` if the bytes are no such value.
    public var value: Value {
        get throws { try JSONDecoder().decode(Value.self, from: data) }
    }
}

extension Transformable: AttributeValue {
    /// Transformable.
    public static var attributeType: AttributeType { .transformable }
    /// The bytes, or none.
    public static func read(_ row: Row, _ slot: Int) -> Transformable { Transformable(data: Data.read(row, slot)) }
    /// As they are.
    public func write(_ row: Row, _ slot: Int) { data.write(row, slot) }
    /// Byte by byte.
    public func isEqual(_ row: Row, _ slot: Int) -> Bool { data.isEqual(row, slot) }
}

extension Transformable: FilterArgument {
    /// The bytes, as a constant.
    public var filterOperand: FilterOperand { .value(.data(data)) }
}
