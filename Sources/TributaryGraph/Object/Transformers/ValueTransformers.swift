#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

import TributaryConcurrency

/// The transformers that model files refer to, by their names.
///
///     ValueTransformers.register("DLImageValueTransformer", ImageTransformer())
///     let transformer = ValueTransformers.named(attribute.declaration.transformerName)
///
/// One registry serves the process, as names in model files do. An unknown name keeps bytes as they are. So do the names
/// that Xcode writes for archives of Apple's (`NSSecureUnarchiveFromData` and the like), which cannot be read elsewhere:
/// register a transformer of your own under such a name if you know what the bytes are.
public enum ValueTransformers {
    private static let known = Guarded<[String: any AttributeTransformer]>([:])

    /// Registers a transformer; an earlier one of the name is replaced.
    public static func register(_ name: String, _ transformer: any AttributeTransformer) {
        known.withLock { $0[name] = transformer }
    }

    /// Forgets a transformer; its name then is an unknown one.
    public static func unregister(_ name: String) { known.withLock { $0[name] = nil } }

    /// Whether a transformer is registered under `name`.
    public static func isRegistered(_ name: String) -> Bool { known.withLock { $0[name] != nil } }

    /// The transformer of a name; for nil and for an unknown name one that leaves bytes as they are.
    public static func named(_ name: String?) -> any AttributeTransformer {
        guard let name else { return BytesTransformer() }
        return known.withLock { $0[name] } ?? BytesTransformer()
    }
}

extension AttributeProperty {
    /// What turns the values of the attribute into bytes; nil if it is not transformable.
    public var transformer: (any AttributeTransformer)? {
        type == .transformable ? ValueTransformers.named(declaration.transformerName) : nil
    }

    /// The value that the bytes of the attribute stand for.
    ///
    /// - Throws: what the transformer throws if it cannot read them.
    public func transformedValue(of data: Data) throws -> any Sendable {
        guard let transformer else { return data }
        return try transformer.anyValue(from: data)
    }

    /// The bytes that stand for a value of the attribute.
    ///
    /// - Throws: ``AttributeError`` if the transformer has no such values, or what it throws itself.
    public func data(transforming value: any Sendable) throws -> Data {
        let transformer = transformer ?? BytesTransformer()
        guard let data = try transformer.anyData(from: value) else {
            throw AttributeError(self, found: "a value of another type than its transformer takes")
        }
        return data
    }
}

extension AttributeTransformer {
    fileprivate func anyValue(from data: Data) throws -> any Sendable { try value(from: data) }

    fileprivate func anyData(from value: any Sendable) throws -> Data? {
        guard let value = value as? Value else { return nil }
        return try data(from: value)
    }
}
