public import TributaryModel

extension Model {
    /// The model that classes declare, with an entity for each class; throws one error with all faults.
    ///
    ///     let model = try Model(Author.self, Book.self)
    ///
    /// A superclass is an entity as well and need not be named.
    public convenience init(_ classes: ManagedObject.Type...) throws {
        try self.init(ModelDescription(ClassDescription.all(classes)), classes: classes)
    }

    /// The classes that declare the model; empty for a model from a file or description.
    var objectClasses: [ManagedObject.Type] { classes.compactMap { $0 as? ManagedObject.Type } }
}

extension ModelDescription {
    /// The description of a model that classes declare, with an entity for each class.
    ///
    ///     let model = try Model(ModelDescription(of: Author.self, Book.self))
    ///
    /// A superclass is an entity as well and need not be named. An inverse that is declared on one side is set on both.
    ///
    /// - Throws: `ModelError` with all faults.
    public init(of classes: ManagedObject.Type...) throws { try self.init(ClassDescription.all(classes)) }

    init(_ descriptions: [ClassDescription]) throws {
        self.init(descriptions.map(\.entity))
        var faults: [String] = []
        for description in descriptions {
            for (relationship, destination, inverse) in description.inverses {
                let origin = "\(description.entity.name).\(relationship)"
                guard let position = position(of: inverse, in: destination) else {
                    faults.append("\(origin): its destination \(destination.entityName) is not in the model")
                    continue
                }
                let known = entities[position.entity].relationships[position.relationship].inverse
                if let known, known != relationship {
                    faults.append("\(origin): its inverse \(inverse) has another inverse, \(known)")
                }
                entities[position.entity].relationships[position.relationship].inverse = relationship
            }
        }
        guard faults.isEmpty else { throw ModelError(faults) }
    }

    /// The indexes of a relationship and its entity, searched in a class and its superclasses.
    private func position(of name: String, in type: ManagedObject.Type) -> (entity: Int, relationship: Int)? {
        var type: ManagedObject.Type? = type
        while let current = type {
            if let entity = entities.firstIndex(where: { $0.name == current.entityName }),
                let relationship = entities[entity].relationships.firstIndex(where: { $0.name == name })
            {
                return (entity, relationship)
            }
            type = ClassDescription.superclass(of: current)
        }
        return nil
    }
}

extension ClassDescription {
    /// The descriptions of classes and their superclasses, each once, superclasses first.
    static func all(_ classes: [ManagedObject.Type]) throws -> [ClassDescription] {
        var types: [ManagedObject.Type] = []
        for type in classes {
            var line: [ManagedObject.Type] = []
            var next: ManagedObject.Type? = type
            while let current = next {
                line.insert(current, at: 0)
                next = superclass(of: current)
            }
            for type in line where !types.contains(where: { $0 == type }) { types.append(type) }
        }
        return try types.map { try ClassDescription($0) }
    }
}
