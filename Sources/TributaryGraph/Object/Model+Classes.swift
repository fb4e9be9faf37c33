public import TributaryModel

extension Model {
    /// The model that classes declare, each an entity of its name; throws one error with every fault.
    ///
    ///     let model = try Model(Author.self, Book.self)
    ///
    /// A superclass is an entity as well and need not be named.
    public convenience init(_ classes: ManagedObject.Type...) throws {
        try self.init(ModelDescription(ClassDescription.all(classes)), classes: classes)
    }

    /// The classes it was declared by, if it was.
    var objectClasses: [ManagedObject.Type] { classes.compactMap { $0 as? ManagedObject.Type } }
}

extension ModelDescription {
    /// What classes declare, each an entity of its name.
    ///
    ///     let model = try Model(ModelDescription(of: Author.self, Book.self))
    ///
    /// A superclass is an entity as well and need not be named. The inverse of a relationship stands on one side; the
    /// other side learns it here.
    ///
    /// - Throws: `ModelError` with every fault.
    public init(of classes: ManagedObject.Type...) throws { try self.init(ClassDescription.all(classes)) }

    init(_ descriptions: [ClassDescription]) throws {
        self.init(descriptions.map(\.entity))
        var faults: [String] = []
        for description in descriptions {
            for (relationship, destination, inverse) in description.inverses {
                let origin = "\(description.entity.name).\(relationship)"
                guard let place = place(of: inverse, in: destination) else {
                    faults.append("\(origin): the model lacks \(destination.entityName), where it leads")
                    continue
                }
                let known = entities[place.entity].relationships[place.relationship].inverse
                if let known, known != relationship {
                    faults.append("\(origin): its inverse \(inverse) has another inverse, \(known)")
                }
                entities[place.entity].relationships[place.relationship].inverse = relationship
            }
        }
        guard faults.isEmpty else { throw ModelError(faults) }
    }

    /// Where a relationship stands, in a class or the classes above it.
    private func place(of name: String, in type: ManagedObject.Type) -> (entity: Int, relationship: Int)? {
        var type: ManagedObject.Type? = type
        while let here = type {
            if let entity = entities.firstIndex(where: { $0.name == here.entityName }),
                let relationship = entities[entity].relationships.firstIndex(where: { $0.name == name })
            {
                return (entity, relationship)
            }
            type = ClassDescription.superclass(of: here)
        }
        return nil
    }
}

extension ClassDescription {
    /// The classes and those above them, each once, superclasses first.
    static func all(_ classes: [ManagedObject.Type]) throws -> [ClassDescription] {
        var types: [ManagedObject.Type] = []
        for type in classes {
            var line: [ManagedObject.Type] = []
            var next: ManagedObject.Type? = type
            while let here = next {
                line.insert(here, at: 0)
                next = superclass(of: here)
            }
            for type in line where !types.contains(where: { $0 == type }) { types.append(type) }
        }
        return try types.map { try ClassDescription($0) }
    }
}
