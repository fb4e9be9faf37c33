extension ManagedObject {
    /// The value of an attribute, or the IDs of the destinations of a relationship, by name.
    ///
    ///     book["title"] = title
    ///     book["price"] = .null
    ///
    /// The subscript gives access to objects without a class. An unknown name traps, as does a value that the attribute
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

    /// The value of a property, set to a plain value: `book["pages"] = 341`.
    @_disfavoredOverload
    public final subscript(name: String) -> any FilterArgument {
        get { self[name] as FilterValue }
        set { self[name] = FilterValue(newValue) }
    }

    /// Sets an attribute, or the destinations of a relationship by their IDs, by name.
    ///
    /// - Throws: `ContextError` for an unknown or derived property, `AttributeError` if the value does not fit.
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

    /// The destination of a to-one relationship, by name.
    public final func object(forKey name: String) -> ManagedObject? { one(slot(of: name, isToMany: false)) }

    /// Sets the destination of a to-one relationship, by name.
    public final func setObject(_ object: ManagedObject?, forKey name: String) {
        setOne(slot(of: name, isToMany: false), object)
    }

    /// The destinations of a to-many relationship, by name.
    public final func objects(forKey name: String) -> [ManagedObject] { many(slot(of: name, isToMany: true)) }

    /// Sets the destinations of a to-many relationship, by name.
    public final func setObjects(_ objects: [ManagedObject], forKey name: String) {
        setMany(slot(of: name, isToMany: true), objects)
    }

    private func slot(of name: String, isToMany: Bool) -> Int {
        guard let relationship = entity.relationship(named: name), relationship.isToMany == isToMany else {
            fatalError("\(entity.name) has no to-\(isToMany ? "many" : "one") relationship \(name)")
        }
        return relationship.slot
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
            .unknownProperty, "\(entity.name).\(relationship.name) is a relationship, whose values are IDs of objects",
            hint: "use setObject(_:forKey:) for objects")
    }
}
