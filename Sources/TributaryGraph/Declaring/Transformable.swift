public import Foundation

/// An attribute value of any `Codable` type, kept as its bytes.
///
///     final class Palette: ManagedObject {
///         @Attribute var main: Transformable<Colour>?
///     }
///     palette.main = try Transformable(.red)
///     try palette.main?.value                     // .red
///
/// The bytes are JSON with sorted keys, so that equal values have equal bytes. Bytes in another form stay unchanged
/// until a new value is set; reading them as a value throws.
public struct Transformable<Value: Codable & Sendable>: Sendable, Hashable {
    /// The bytes.
    public let data: Data

    /// Encodes a value.
    ///
    /// - Throws: the error of the encoding.
    public init(_ value: Value) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        data = try encoder.encode(value)
    }

    /// Keeps bytes unchanged, whether they can be decoded or not.
    public init(data: Data) { self.data = data }

    /// The decoded value.
    ///
    /// - Throws: `DecodingError` if the bytes do not encode such a value.
    public var value: Value {
        get throws { try JSONDecoder().decode(Value.self, from: data) }
    }
}

extension Transformable: AttributeValue {
    /// Transformable.
    public static var attributeType: AttributeType { .transformable }
    /// The bytes, or no bytes if the slot is null.
    public static func read(_ row: Row, _ slot: Int) -> Transformable { Transformable(data: Data.read(row, slot)) }
    /// Stores the bytes unchanged.
    public func write(_ row: Row, _ slot: Int) { data.write(row, slot) }
    /// Compares bytes.
    public func isEqual(_ row: Row, _ slot: Int) -> Bool { data.isEqual(row, slot) }
}

extension Transformable: FilterArgument {
    /// The bytes, as a constant.
    public var filterOperand: FilterOperand { .value(.data(data)) }
}
