import TributaryModel

/// The names in Swift of the classes and properties of a model.
///
/// A name is that of the model where Swift permits it and no class of the library has it already.
struct ClassNames {
    private var types: [String: String] = [:]
    /// The names of the properties by entity, inherited ones included.
    private var properties: [String: [String: String]] = [:]

    init(_ model: Model) {
        let wanted = Dictionary(grouping: model.entities) { ($0.className ?? $0.name).lowercased() }
        // Files with names that differ in case only are the same file in some file systems.
        var taken = Set(Self.reservedTypes.map { $0.lowercased() })
        for entity in model.entities {
            let isShared = (wanted[(entity.className ?? entity.name).lowercased()]?.count ?? 0) > 1
            var name = SwiftIdentifier.type(isShared ? entity.name : entity.className ?? entity.name)
            if Self.reservedTypes.contains(name) { name += "Object" }
            name = Self.free(name) { !taken.contains($0.lowercased()) }
            taken.insert(name.lowercased())
            types[entity.name] = name
        }
        for entity in model.rootEntities.flatMap({ [$0] + $0.descendants }) {
            properties[entity.name] = Self.properties(of: entity, entity.parent.flatMap { properties[$0.name] } ?? [:])
        }
    }

    /// The name of the class of an entity.
    func type(_ entity: Entity) -> String { types[entity.name] ?? entity.name }

    /// The name of a property of an entity, own or inherited, without backticks.
    func property(_ name: String, of entity: Entity) -> String { properties[entity.name]?[name] ?? name }

    private static func properties(of entity: Entity, _ inherited: [String: String]) -> [String: String] {
        var names = inherited
        var taken = Set(inherited.values).union(reservedProperties)
        let own = entity.declaration.attributes.map(\.name) + entity.declaration.relationships.map(\.name)
        // Names that can stay as they are come first.
        for name in own where SwiftIdentifier.property(name) == name && taken.insert(name).inserted {
            names[name] = name
        }
        for name in own where names[name] == nil {
            var identifier = SwiftIdentifier.property(name)
            if reservedProperties.contains(identifier) { identifier += "Value" }
            identifier = free(identifier) { !taken.contains($0) }
            taken.insert(identifier)
            names[name] = identifier
        }
        return names
    }

    private static func free(_ name: String, _ isFree: (String) -> Bool) -> String {
        var number = 1
        var candidate = name
        while !isFree(candidate) {
            number += 1
            candidate = "\(name)\(number)"
        }
        return candidate
    }

    /// Types that generated files refer to.
    private static let reservedTypes: Set<String> = [
        "Any", "AnyObject", "Attribute", "AttributeDescription", "Bool", "Data", "Date", "Decimal", "Double",
        "EntityDescription", "FetchTemplate", "FetchedProperty", "FilterValue", "Float", "IndexDescription", "Int",
        "Int16", "Int32", "Int64", "JSONText", "ManagedObject", "Model", "Optional", "OrderedToMany", "Protocol",
        "Relationship", "Self", "String", "ToMany", "Type", "URL", "UUID",
    ]

    /// Members of managed objects, and words that Swift does not accept as properties.
    private static let reservedProperties: Set<String> = [
        "Data", "Date", "Decimal", "Protocol", "Self", "Type", "URL", "UUID", "awakeFromFetch", "awakeFromInsert",
        "changedValues", "committedValues", "context", "delete", "deleteIfInvalid", "didSave", "entity", "exists",
        "filterReference", "filterValue", "hasChanges", "hasPersistentChangedValues", "hash", "hashValue", "init",
        "isDeleted", "isFault", "isInserted", "isUpdated", "object", "objectID", "objects", "prepareForDeletion",
        "self", "setObject", "setObjects", "setValue", "validateForDelete", "validateForInsert", "validateForUpdate",
        "willSave", "willTurnIntoFault",
    ]
}
