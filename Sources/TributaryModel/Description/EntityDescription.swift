/// The description of an entity in a model.
public struct EntityDescription: Sendable, Hashable {
    /// The name.
    public var name: String
    /// The class of its objects: `Class`, `.Class` or `Module.Class`; nil for the base class.
    public var className: String?
    /// The name of the entity whose properties it inherits.
    public var parent: String?
    /// Whether only its subentities have objects.
    public var isAbstract = false
    /// Its own attributes, in order.
    public var attributes: [AttributeDescription] = []
    /// Its own relationships, in order.
    public var relationships: [RelationshipDescription] = []
    /// Its fetched properties.
    public var fetchedProperties: [FetchedProperty] = []
    /// Constraints: names of attributes and to-one relationships whose combined values must be unique.
    public var uniquenessConstraints: [[String]] = []
    /// Its indexes.
    public var indexes: [IndexDescription] = []
    /// The name in an earlier version of the model.
    public var renamingIdentifier: String?
    /// A text that changes the version hash when nothing else has changed.
    public var versionHashModifier: String?
    /// Custom entries, which the library does not interpret.
    public var userInfo: [String: String] = [:]

    /// An entity without properties.
    public init(_ name: String) { self.name = name }
}
