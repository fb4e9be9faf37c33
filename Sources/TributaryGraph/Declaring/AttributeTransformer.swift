public import Foundation

/// Turns the values of transformable attributes into bytes and back, under a name that a model file can state.
///
///     struct ColourTransformer: AttributeTransformer {
///         func data(from colour: Colour) throws -> Data { Data([colour.red, colour.green, colour.blue]) }
///         func value(from data: Data) throws -> Colour { try Colour(bytes: data) }
///     }
///     ValueTransformers.register("ColourTransformer", ColourTransformer())
public protocol AttributeTransformer<Value>: Sendable {
    /// The type of the values in Swift.
    associatedtype Value: Sendable
    /// The bytes of a value.
    func data(from value: Value) throws -> Data
    /// The value of bytes.
    func value(from data: Data) throws -> Value
}
