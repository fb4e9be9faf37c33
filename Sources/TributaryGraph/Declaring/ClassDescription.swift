/// The declarations of a class of managed objects.
struct ClassDescription {
    let type: ManagedObject.Type
    /// The entity of the class, with the properties that the class itself declares.
    private(set) var entity: EntityDescription
    /// The names of all properties, including inherited ones, in the order of initialisation.
    private(set) var namesInInitOrder: [String] = []
    /// The destination and the name of the inverse, for each relationship of the class itself that declares an inverse.
    private(set) var inverses: [(relationship: String, destination: ManagedObject.Type, inverse: String)] = []

    /// Describes a class without its superclasses.
    init(_ type: ManagedObject.Type) throws {
        self.type = type
        entity = EntityDescription(type.entityName)
        entity.className = String(describing: type)
        entity.isAbstract = type.isAbstractEntity
        let superclass = ClassDescription.superclass(of: type)
        entity.parent = superclass?.entityName
        let (object, declarations) = Declaring.describe(type)
        let names = ClassDescription.names(of: object, declarations)
        namesInInitOrder = names.all.sorted { $0.key < $1.key }.map(\.value)
        for entry in declarations.attributes {
            guard let name = names.own[entry.slot] else { continue }
            add(entry, name)
        }
        for entry in declarations.relationships {
            guard let name = names.own[entry.slot] else { continue }
            try add(entry, name)
        }
        type.describe(&entity)
    }

    private mutating func add(_ entry: DeclarationCollector.AttributeEntry, _ name: String) {
        var attribute = AttributeDescription(name, entry.valueType.attributeType)
        attribute.isOptional = entry.valueType.isOptionalAttribute
        attribute.defaultValue = entry.defaultValue?.modelValue
        for option in entry.options {
            option.apply(&attribute)
            if option.isUnique { entity.uniquenessConstraints.append([name]) }
        }
        entity.attributes.append(attribute)
    }

    private mutating func add(_ entry: DeclarationCollector.RelationshipEntry, _ name: String) throws {
        let destination = entry.valueType.destinationType
        var relationship = RelationshipDescription(name, to: destination.entityName)
        relationship.isToMany = entry.valueType.isToMany
        relationship.isOrdered = entry.valueType.isOrdered
        relationship.deleteRule = entry.deleteRule
        for option in entry.options { option.apply(&relationship) }
        if entry.isSymmetric { relationship.inverse = name }
        if let path = entry.inverse {
            let inverse = try ClassDescription.name(of: path, in: destination, from: "\(entity.name).\(name)")
            relationship.inverse = inverse
            inverses.append((name, destination, inverse))
        }
        entity.relationships.append(relationship)
    }

    /// The superclass; nil for a direct subclass of `ManagedObject`.
    static func superclass(of type: ManagedObject.Type) -> ManagedObject.Type? {
        let (object, _) = Declaring.describe(type)
        let superclass = Mirror(reflecting: object).superclassMirror?.subjectType as? ManagedObject.Type
        return superclass == ManagedObject.self ? nil : superclass
    }

    private static func name(of path: AnyKeyPath, in type: ManagedObject.Type, from origin: String) throws -> String {
        let trace = KeyPathTrace(type)
        trace.walk(path)
        guard trace.isChain, trace.steps.count == 1, trace.steps[0].isRelationship, let name = trace.names.first else {
            throw ModelError(["\(origin): its inverse is not a relationship of \(type.entityName)"])
        }
        return name
    }

    /// The names of all properties of an object, and of the properties of its class itself, by their slots.
    static func names(
        of object: ManagedObject, _ declarations: DeclarationCollector
    ) -> (all: [UInt16: String], own: [UInt16: String]) {
        demand(
            !(object is any CustomReflectable),
            "\(Swift.type(of: object)) has a mirror of its own, which hides its properties")
        let stated = declarations.names
        var all: [UInt16: String] = [:]
        var own: [UInt16: String] = [:]
        var mirror: Mirror? = Mirror(reflecting: object)
        var isOwn = true
        while let level = mirror, level.subjectType != ManagedObject.self {
            for child in level.children {
                guard let property = child.value as? any DeclaredProperty, let label = child.label else { continue }
                // The stored property of a wrapper has the name with an underscore.
                let name = stated[property.slot] ?? (label.hasPrefix("_") ? String(label.dropFirst()) : label)
                all[property.slot] = name
                if isOwn { own[property.slot] = name }
            }
            isOwn = false
            mirror = level.superclassMirror
        }
        return (all, own)
    }
}
