/// An entity as a model states it.
public struct EntityDescription: Sendable, Hashable {
    /// The name.
    public var name: String
    /// The class of its objects as the model writes it: `Class`, `.Class` or `Module.Class`; nil for a plain object.
    public var className: String?
    /// The entity whose properties it inherits.
    public var parent: String?
    /// Whether it has no objects of its own.
    public var isAbstract = false
    /// Its own attributes, in order.
    public var attributes: [AttributeDescription] = []
    /// Its own relationships, in order.
    public var relationships: [RelationshipDescription] = []
    /// Its fetched properties.
    public var fetchedProperties: [FetchedProperty] = []
    /// Names of attributes and relationships to one whose values together stand once.
    public var uniquenessConstraints: [[String]] = []
    /// Its indexes.
    public var indexes: [IndexDescription] = []
    /// The name it had in an earlier version of the model.
    public var renamingIdentifier: String?
    /// Makes a version of its own where nothing else has changed.
    public var versionHashModifier: String?
    /// Whatever the author wants to keep with it.
    public var userInfo: [String: String] = [:]

    /// An entity without properties.
    public init(_ name: String) { self.name = name }
}
