public import TributaryModel

/// Models made of classes.
extension Model {
    /// The model that classes declare, with an entity for each class; throws one error with all faults.
    ///
    ///     let model = try Model(Author.self, Book.self)
    ///
    /// A superclass is an entity as well and need not be named.
    public convenience init(_ classes: ManagedObject.Type...) throws {
        try self.init(ModelDescription(ClassDescription.all(classes)), classes: classes)
    }

    /// The model that classes declare, after `complete` has added what classes cannot declare, such as configurations.
    ///
    ///     let model = try Model(Author.self, Book.self) { model in
    ///         model.fetchTemplates = [FetchTemplate("cheap", of: "Book", where: "price < $LIMIT")]
    ///     }
    ///
    /// - Throws: `ModelError` with all faults, or the error of `complete`.
    public convenience init(
        _ classes: ManagedObject.Type..., complete: (inout ModelDescription) throws -> Void
    ) throws {
        var description = try ModelDescription(ClassDescription.all(classes))
        try complete(&description)
        try self.init(description, classes: classes)
    }

    /// The classes that declare the model; empty for a model from a file or description.
    var objectClasses: [ManagedObject.Type] { classes.compactMap { $0 as? ManagedObject.Type } }
}

/// Descriptions made of classes, which can be changed before they are checked.
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
                setInverseEntity(
                    entities[position.entity].name, of: relationship, in: description.entity.name)
                setInverseEntity(description.entity.name, of: inverse, in: entities[position.entity].name)
            }
        }
        guard faults.isEmpty else { throw ModelError(faults) }
    }

    /// States the entity that declares an inverse, if that is an ancestor of the destination.
    private mutating func setInverseEntity(_ holder: String, of name: String, in entity: String) {
        guard let index = entities.firstIndex(where: { $0.name == entity }),
            let property = entities[index].relationships.firstIndex(where: { $0.name == name }),
            entities[index].relationships[property].destination != holder
        else { return }
        entities[index].relationships[property].inverseEntity = holder
    }

    /// The indexes of a relationship and its entity, searched in a class and its superclasses.
    private func position(of name: String, in type: ManagedObject.Type) -> (entity: Int, relationship: Int)? {
        for current in sequence(first: type, next: ClassDescription.superclass) {
            if let entity = entities.firstIndex(where: { $0.name == current.entityName }),
                let relationship = entities[entity].relationships.firstIndex(where: { $0.name == name })
            {
                return (entity, relationship)
            }
        }
        return nil
    }
}

extension ClassDescription {
    /// The descriptions of classes in their order, with each superclass that is not one of them before its subclasses.
    static func all(_ classes: [ManagedObject.Type]) throws -> [ClassDescription] {
        var types: [ManagedObject.Type] = []
        for type in classes {
            let line = sequence(first: type, next: superclass)
            for one in line.reversed() where !types.contains(where: { $0 == one }) {
                if one == type || !classes.contains(where: { $0 == one }) { types.append(one) }
            }
        }
        return try types.map { try ClassDescription($0) }
    }
}
