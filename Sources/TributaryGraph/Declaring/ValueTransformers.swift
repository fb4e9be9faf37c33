public import Foundation
import TributaryConcurrency

/// The transformers that model files refer to, by their names.
///
///     ValueTransformers.register("DLImageValueTransformer", ImageTransformer())
///     let transformer = ValueTransformers.named(attribute.declaration.transformerName)
///
/// The registry is shared by the process. The transformer of an unknown name leaves bytes unchanged. This includes the
/// names that Xcode writes for Apple's archives (such as `NSSecureUnarchiveFromData`), which only Apple's frameworks
/// read: register a transformer of your own under such a name if you know the format of the bytes.
public enum ValueTransformers {
    private static let known = Guarded<[String: any AttributeTransformer]>([:])

    /// Registers a transformer, which replaces an earlier one of the same name.
    public static func register(_ name: String, _ transformer: any AttributeTransformer) {
        known.withLock { $0[name] = transformer }
    }

    /// Removes the transformer of a name, which is unknown afterwards.
    public static func unregister(_ name: String) { known.withLock { $0[name] = nil } }

    /// Whether a transformer is registered under `name`.
    public static func isRegistered(_ name: String) -> Bool { known.withLock { $0[name] != nil } }

    /// The transformer of a name; for nil and for an unknown name one that leaves bytes unchanged.
    public static func named(_ name: String?) -> any AttributeTransformer {
        guard let name else { return BytesTransformer() }
        return known.withLock { $0[name] } ?? BytesTransformer()
    }
}

/// The transformer of a transformable attribute.
extension AttributeProperty {
    /// The transformer of the attribute; nil if the attribute is not transformable.
    public var transformer: (any AttributeTransformer)? {
        type == .transformable ? ValueTransformers.named(declaration.transformerName) : nil
    }

    /// The value that bytes of the attribute encode.
    ///
    /// - Throws: the error of the transformer.
    public func transformedValue(of data: Data) throws -> any Sendable {
        try transformer?.value(from: data) ?? data
    }

    /// The bytes that encode a value of the attribute.
    ///
    /// - Throws: ``AttributeError`` if the value has another type than those of the transformer, or the error of the
    ///   transformer.
    public func data(transforming value: any Sendable) throws -> Data {
        let transformer = transformer ?? BytesTransformer()
        guard let data = try transformer.anyData(from: value) else {
            throw AttributeError(self, found: "a value of another type than its transformer takes")
        }
        return data
    }
}

extension AttributeTransformer {
    fileprivate func anyData(from value: any Sendable) throws -> Data? {
        guard let value = value as? Value else { return nil }
        return try data(from: value)
    }
}
