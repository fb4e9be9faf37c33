/// The mappings of several entities, by their names.
public struct Mappings: Sendable, Hashable, ExpressibleByDictionaryLiteral {
    /// The mappings by the names of entities.
    public var entities: [String: Mapping]

    /// The mappings of some entities.
    public init(_ entities: [String: Mapping] = [:]) { self.entities = entities }

    /// The mappings of some entities.
    public init(dictionaryLiteral elements: (String, Mapping)...) {
        entities = Dictionary(elements) { _, last in last }
    }

    /// The mapping of an entity.
    public subscript(entity: String) -> Mapping? {
        get { entities[entity] }
        set { entities[entity] = newValue }
    }
}
