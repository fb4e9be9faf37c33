extension ManagedObject {
    /// The value of an attribute, or the id of the object that a relationship leads to, by name.
    ///
    ///     book["title"] = .string("The Dispossessed")
    ///
    /// This is how objects without a class are read and written. An unknown name traps, as does a value that the attribute
    /// cannot have; `setValue(_:forKey:)` throws instead.
    public final subscript(name: String) -> FilterValue {
        get {
            guard let property = entity[name] else {
                fatalError("\(entity.name) has no property \(name)")
            }
            if accessFlags.contains(.fault) { fire() }
            if let relationship = property.relationship, relationship.isToMany {
                return .list(many(relationship.slot).map { .object(FilterReference($0.objectID)) })
            }
            return value(of: property, in: row) ?? .null
        }
        set {
            do {
                try setValue(newValue, forKey: name)
            } catch {
                fatalError("\(error)")
            }
        }
    }

    /// Sets an attribute, or what a relationship leads to by ids, by name.
    ///
    /// - Throws: `ContextError` if there is no such property or it is computed, `AttributeError` if the value does not fit.
    public final func setValue(_ value: FilterValue, forKey name: String) throws {
        guard let property = entity[name] else {
            throw ContextError(
                .unknownProperty, "\(entity.name) has no property \(name)",
                hint: "it has \(entity.properties.map(\.name).sorted().joined(separator: ", "))")
        }
        switch property {
        case .attribute(let attribute):
            if accessFlags.contains(.fault) { fire() }
            let trial = Row.allocate(row.count)
            defer { trial.deallocate() }
            try attribute.write(value, to: trial)
            guard !trial.isEqual(row, attribute.slot) else { return }
            if let derived = registry?.derived, derived.isDerived(attribute.slot) {
                throw ContextError(.derived, derived.refusal(attribute.slot), hint: "it is computed by the next save")
            }
            if !accessFlags.isEmpty { willChange() }
            row.assign(trial, attribute.slot)
        case .relationship(let relationship):
            let objects = try self.objects(value, for: relationship)
            if relationship.isToMany {
                setMany(relationship.slot, objects)
            } else {
                setOne(relationship.slot, objects.first)
            }
        }
    }

    /// The object that a relationship to one leads to, by name.
    public final func object(forKey name: String) -> ManagedObject? {
        guard let relationship = entity.relationship(named: name), !relationship.isToMany else {
            fatalError("\(entity.name) has no relationship \(name) to one object")
        }
        return one(relationship.slot)
    }

    /// Makes `object` the one that a relationship leads to, by name.
    public final func setObject(_ object: ManagedObject?, forKey name: String) {
        guard let relationship = entity.relationship(named: name), !relationship.isToMany else {
            fatalError("\(entity.name) has no relationship \(name) to one object")
        }
        setOne(relationship.slot, object)
    }

    /// The objects that a relationship to many leads to, by name.
    public final func objects(forKey name: String) -> [ManagedObject] {
        guard let relationship = entity.relationship(named: name), relationship.isToMany else {
            fatalError("\(entity.name) has no relationship \(name) to many objects")
        }
        return many(relationship.slot)
    }

    /// Makes `objects` those that a relationship leads to, by name.
    public final func setObjects(_ objects: [ManagedObject], forKey name: String) {
        guard let relationship = entity.relationship(named: name), relationship.isToMany else {
            fatalError("\(entity.name) has no relationship \(name) to many objects")
        }
        setMany(relationship.slot, objects)
    }

    private func objects(_ value: FilterValue, for relationship: RelationshipProperty) throws -> [ManagedObject] {
        switch value {
        case .null: return []
        case .object(let reference):
            guard let id = reference.base as? ObjectID, let context = owner else { break }
            return [context.object(with: id)]
        case .list(let values): return try values.flatMap { try objects($0, for: relationship) }
        default: break
        }
        throw ContextError(
            .unknownProperty, "\(entity.name).\(relationship.name) is a relationship, and takes ids of objects",
            hint: "use setObject(_:forKey:) for objects")
    }
}
