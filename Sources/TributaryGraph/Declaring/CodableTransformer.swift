public import Foundation

/// Turns `Codable` values into JSON with sorted keys, as ``Transformable`` does.
public struct CodableTransformer<Value: Codable & Sendable>: AttributeTransformer {
    /// A transformer for a type.
    public init(_: Value.Type = Value.self) {}

    /// The JSON of a value.
    ///
    /// - Throws: the error of the encoding.
    public func data(from value: Value) throws -> Data { try Transformable(value).data }

    /// The value that JSON encodes.
    ///
    /// - Throws: `DecodingError` if the bytes do not encode such a value.
    public func value(from data: Data) throws -> Value { try Transformable<Value>(data: data).value }
}
