/// What a class of managed objects declares.
struct ClassDescription {
    let type: ManagedObject.Type
    /// The entity that the class stands for, with its own properties.
    private(set) var entity: EntityDescription
    /// The names of all properties, inherited ones included, in the order in which they are initialised.
    private(set) var namesInTurn: [String] = []
    /// For each relationship of the class itself, the class and the property that lead back.
    private(set) var inverses: [(relationship: String, destination: ManagedObject.Type, inverse: String)] = []

    /// Describes a class; the superclasses are described apart.
    ///
    /// - Throws: `ModelError` if an inverse leads nowhere.
    init(_ type: ManagedObject.Type) throws {
        self.type = type
        entity = EntityDescription(type.entityName)
        entity.className = String(describing: type)
        entity.isAbstract = type.isAbstractEntity
        let superclass = ClassDescription.superclass(of: type)
        entity.parent = superclass?.entityName
        let (object, said) = Declaring.describe(type)
        let names = ClassDescription.names(of: object)
        namesInTurn = names.all.sorted { $0.key < $1.key }.map(\.value)
        for said in said.attributes {
            guard let name = names.own[said.slot] else { continue }
            add(said, name)
        }
        for said in said.relationships {
            guard let name = names.own[said.slot] else { continue }
            try add(said, name)
        }
    }

    private mutating func add(_ said: DeclarationCollector.AttributeEntry, _ name: String) {
        var attribute = AttributeDescription(name, said.valueType.attributeType)
        // What is not optional has a value from the start, unless it must be set.
        attribute.isOptional = said.valueType.isOptionalAttribute
        attribute.defaultValue = said.defaultValue?.modelValue
        for option in said.options {
            option.apply(&attribute)
            if option.isUnique { entity.uniquenessConstraints.append([name]) }
        }
        entity.attributes.append(attribute)
    }

    private mutating func add(_ said: DeclarationCollector.RelationshipEntry, _ name: String) throws {
        let destination = said.valueType.destinationType
        var relationship = RelationshipDescription(name, to: destination.entityName)
        relationship.isToMany = said.valueType.isToMany
        relationship.isOrdered = said.valueType.isOrdered
        relationship.deleteRule = said.deleteRule
        for option in said.options { option.apply(&relationship) }
        if said.isSymmetric { relationship.inverse = name }
        if let path = said.inverse {
            let inverse = try ClassDescription.name(of: path, in: destination, from: "\(entity.name).\(name)")
            relationship.inverse = inverse
            inverses.append((name, destination, inverse))
        }
        entity.relationships.append(relationship)
    }

    /// The class above, if it is one of a model.
    static func superclass(of type: ManagedObject.Type) -> ManagedObject.Type? {
        let (object, _) = Declaring.describe(type)
        let above = Mirror(reflecting: object).superclassMirror?.subjectType as? ManagedObject.Type
        return above == ManagedObject.self ? nil : above
    }

    /// The name of the property that a key path leads to.
    private static func name(of path: AnyKeyPath, in type: ManagedObject.Type, from origin: String) throws -> String {
        let trace = KeyPathTrace(type)
        trace.walk(path)
        guard trace.isChain, trace.endsInRelationship, trace.steps.count == 1, let name = trace.names.first else {
            throw ModelError(["\(origin): its inverse is no relationship of \(type.entityName)"])
        }
        return name
    }

    /// The names of the properties of an object by their turn: all of them, and those of its class itself.
    static func names(of object: ManagedObject) -> (all: [UInt16: String], own: [UInt16: String]) {
        var all: [UInt16: String] = [:]
        var own: [UInt16: String] = [:]
        var mirror: Mirror? = Mirror(reflecting: object)
        var isOwn = true
        while let level = mirror, level.subjectType != ManagedObject.self {
            for child in level.children {
                guard let property = child.value as? any DeclaredProperty, let label = child.label else { continue }
                // A wrapper stands behind the name with an underscore.
                let name = label.hasPrefix("_") ? String(label.dropFirst()) : label
                all[property.slot] = name
                if isOwn { own[property.slot] = name }
            }
            isOwn = false
            mirror = level.superclassMirror
        }
        return (all, own)
    }
}
