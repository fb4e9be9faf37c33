/// An attribute as a model states it.
public struct AttributeDescription: Sendable, Hashable {
    /// The name.
    public var name: String
    /// What it holds.
    public var type: AttributeType
    /// Whether it may be nil when it is saved.
    public var isOptional = true
    /// Whether it lives in memory only.
    public var isTransient = false
    /// What a new object starts with.
    public var defaultValue: ModelValue?
    /// The least value, or the least length of text.
    public var minimum: ModelValue?
    /// The greatest value, or the greatest length of text.
    public var maximum: ModelValue?
    /// What the whole text must match.
    public var regularExpression: String?
    /// How a derived attribute is computed when it is saved, as `canonical:(name)` or `books.@count`.
    public var derivation: String?
    /// The name of the transformer of a transformable value.
    public var transformerName: String?
    /// The class that a transformable value has.
    public var valueClassName: String?
    /// Whether it has an index of its own.
    public var isIndexed = false
    /// The name it had in an earlier version of the model.
    public var renamingIdentifier: String?
    /// Makes a version of its own where nothing else has changed.
    public var versionHashModifier: String?
    /// Whatever the author wants to keep with it.
    public var userInfo: [String: String] = [:]

    /// An optional attribute without bounds.
    public init(_ name: String, _ type: AttributeType) {
        self.name = name
        self.type = type
    }
}
