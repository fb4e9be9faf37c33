public import Foundation

/// Leaves bytes unchanged; the transformer of names that are not registered.
public struct BytesTransformer: AttributeTransformer {
    /// The transformer.
    public init() {}

    /// The bytes themselves.
    public func data(from value: Data) -> Data { value }

    /// The bytes themselves.
    public func value(from data: Data) -> Data { data }
}
