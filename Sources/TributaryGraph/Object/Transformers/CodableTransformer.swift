#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// Turns `Codable` values into JSON with sorted keys, as ``Transformable`` does.
public struct CodableTransformer<Value: Codable & Sendable>: AttributeTransformer {
    /// A transformer for a type.
    public init(_: Value.Type = Value.self) {}

    /// The JSON of a value.
    ///
    /// - Throws: what the value throws when it is encoded.
    public func data(from value: Value) throws -> Data { try Transformable(value).data }

    /// The value of a JSON.
    ///
    /// - Throws: `DecodingError` if the bytes are no such value.
    public func value(from data: Data) throws -> Value { try Transformable<Value>(data: data).value }
}
