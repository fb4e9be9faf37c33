/// The description of an attribute in a model.
public struct AttributeDescription: Sendable, Hashable {
    /// The name.
    public var name: String
    /// The type of its values.
    public var type: AttributeType
    /// Whether the value may be nil when the object is saved.
    public var isOptional = true
    /// Whether it is kept in memory only and not stored.
    public var isTransient = false
    /// The value of a new object.
    public var defaultValue: ModelValue?
    /// The minimum value, or the minimum length of text.
    public var minimum: ModelValue?
    /// The maximum value, or the maximum length of text.
    public var maximum: ModelValue?
    /// The regular expression that the whole text must match.
    public var regularExpression: String?
    /// The expression that computes a derived attribute on save, such as `canonical:(name)` or `books.@count`.
    public var derivation: String?
    /// The name of the transformer of a transformable value.
    public var transformerName: String?
    /// The class of a transformable value.
    public var valueClassName: String?
    /// Whether it has its own index.
    public var isIndexed = false
    /// The name in an earlier version of the model.
    public var renamingIdentifier: String?
    /// A text that changes the version hash when nothing else has changed.
    public var versionHashModifier: String?
    /// Custom entries, which the library does not interpret.
    public var userInfo: [String: String] = [:]

    /// An optional attribute without bounds.
    public init(_ name: String, _ type: AttributeType) {
        self.name = name
        self.type = type
    }
}
