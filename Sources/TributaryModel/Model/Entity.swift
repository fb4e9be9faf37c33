/// An entity of a resolved model.
///
/// Keep a reference to the model: an entity does not retain it and needs it for its subentities and for the
/// destinations of its relationships. Using them after the model is freed is a programming error and traps.
public final class Entity: Sendable, Hashable {
    /// The description of this entity, without inherited properties.
    public let declaration: EntityDescription
    /// Its index among the entities of the model.
    package let index: Int
    /// The entity whose properties it inherits.
    public let parent: Entity?
    /// The module of its class; nil for the current one.
    public let moduleName: String?
    /// The class of its objects without the module; nil for the base class.
    public let className: String?
    /// All attributes, inherited ones first.
    public let attributes: [AttributeProperty]
    /// All relationships, inherited ones first.
    public let relationships: [RelationshipProperty]
    /// All fetched properties, inherited ones first.
    public let fetchedProperties: [FetchedProperty]
    /// All attributes and relationships, those of the parent first.
    public let properties: [Property]
    /// The uniqueness constraints, inherited ones first.
    public let uniquenessConstraints: [UniquenessConstraint]
    /// The indexes, inherited ones first.
    public let indexes: [PropertyIndex]
    /// The attributes that are computed when an object is saved.
    package let derived: DerivedAttributes
    /// A hash that distinguishes versions of the entity.
    public let versionHash: VersionHash
    private unowned let model: Model
    /// The indexes in `properties` by name.
    ///
    /// They number the values of a row: first those of the parent, then the own attributes in the order of the model,
    /// then the own relationships. So a row of a subentity starts with a row of its parent:
    ///
    ///     Item            name 0, tags 1
    ///     Book: Item      name 0, tags 1, isbn 2, author 3
    private let slots: [String: Int]
    /// The entities it inherits from, the root first.
    let ancestors: [Entity]
    private let childIndexes: [Int]

    init(
        _ declaration: EntityDescription, index: Int, parent: Entity?, children: [Int], own: [Property],
        slots: [String: Int], model: Model
    ) {
        self.declaration = declaration
        self.index = index
        self.parent = parent
        self.model = model
        self.slots = slots
        childIndexes = children
        ancestors = parent.map { $0.ancestors + [$0] } ?? []
        (moduleName, className) = Self.resolve(className: declaration.className)
        let all = (parent?.properties ?? []) + own
        properties = all
        attributes = all.compactMap { $0.attribute }
        derived = DerivedAttributes(of: attributes)
        relationships = all.compactMap { $0.relationship }
        fetchedProperties = (parent?.fetchedProperties ?? []) + declaration.fetchedProperties
        versionHash = VersionHash(declaration, parent: parent?.versionHash)
        let find = { (name: String) in slots[name].map { all[$0] } }
        uniquenessConstraints =
            (parent?.uniquenessConstraints ?? [])
            + declaration.uniquenessConstraints.map {
                UniquenessConstraint(properties: $0.compactMap(find), entityName: declaration.name)
            }
        indexes = (parent?.indexes ?? []) + Self.indexes(of: declaration, find: find)
    }

    /// The name.
    public var name: String { declaration.name }
    /// Whether only its subentities have objects.
    public var isAbstract: Bool { declaration.isAbstract }
    /// Custom entries, which the library does not interpret.
    public var userInfo: [String: String] { declaration.userInfo }
    /// The entity at the top of its hierarchy; itself if it has no parent.
    public var root: Entity { ancestors.first ?? self }
    /// The entities that have this one as their parent.
    public var subentities: [Entity] { childIndexes.map { model.entities[$0] } }

    /// The entities below this one, each before its own subentities.
    public var descendants: [Entity] { subentities.flatMap { [$0] + $0.descendants } }

    /// The entity among whose objects, and those of its subentities, the values of some attributes identify an object
    /// of this entity.
    ///
    /// It is the highest entity with a uniqueness constraint of these attributes; without one, this entity, so that two
    /// siblings may have the same key.
    package func scope(ofKey attributes: [AttributeProperty]) -> Entity {
        let wanted = Set(attributes.map(\.name))
        // Those of ancestors come first.
        let constraint = uniquenessConstraints.first { Set($0.properties.map(\.name)) == wanted }
        return ancestors.first { $0.name == constraint?.entityName } ?? self
    }

    /// The property with a name, in constant time.
    public subscript(name: String) -> Property? { slots[name].map { properties[$0] } }

    /// The attribute with a name.
    public func attribute(named name: String) -> AttributeProperty? { self[name]?.attribute }

    /// The relationship with a name.
    public func relationship(named name: String) -> RelationshipProperty? { self[name]?.relationship }

    /// Whether it is `other` or below it, in constant time.
    public func isKind(of other: Entity) -> Bool {
        let depth = other.ancestors.count
        return self == other || depth < ancestors.count && ancestors[depth] == other
    }

    /// Whether both are the same entity of the same model.
    public static func == (left: Entity, right: Entity) -> Bool { left === right }

    /// Feeds the identity to a hasher.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension Entity: CustomReflectable {
    /// Without children: `dump` would list the whole model.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
