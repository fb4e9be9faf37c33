import TributaryGraph
import TributaryJSON
import TributarySQLite

/// Creates, updates, keeps or deletes the objects of the dictionaries of one call.
///
/// All keys of a class and level of nesting are fetched first. Then the dictionaries are processed in their order, each
/// before its children, and its validity after them.
struct CRUDRun {
    private struct KeyPlace: Hashable {
        let entity: Entity
        let attributes: [String]
    }

    private let context: ManagedObjectContext
    private let settings: CRUDSettings
    private var keyed: [KeyPlace: KeyedObjects] = [:]
    /// The objects that were found by their keys, until their descendants are loaded.
    private var found: [ManagedObject] = []

    init(in context: ManagedObjectContext) {
        self.context = context
        settings = context.crudSettings
    }

    // MARK: Fetching

    /// Fetches the objects of all dictionaries and of their children, as far as their filters are unique keys.
    mutating func fetch(_ inputs: [CRUDInput], of type: any CRUDObject.Type, _ entity: Entity) throws {
        guard !inputs.isEmpty else { return }
        var keys: [KeyPlace: [[SQLValue]]] = [:]
        for input in inputs {
            guard let filter = try type.primaryFilter(for: input), let key = UniqueKey(filter, of: entity) else {
                continue
            }
            keys[KeyPlace(entity: entity, attributes: key.attributes.map(\.name)), default: []].append(key.values)
        }
        var found: [ManagedObject] = []
        for (place, values) in keys {
            let attributes = place.attributes.compactMap { entity.attribute(named: $0) }
            found += try keyed[place, default: KeyedObjects(attributes, of: entity, in: context)]
                .fetch(values, in: context)
        }
        found = found.filter { $0.entity.isKind(of: entity) }
        self.found += found
        for child in type.crudChildren {
            let relationship = try context.relationship(child, of: entity)
            try context.load(relationship, of: found)
            guard let member = child.member else { continue }
            let (childType, destination) = try context.crudClass(of: relationship)
            try fetch(inputs.flatMap { try $0.inputs(member) ?? [] }, of: childType, destination)
        }
    }

    private mutating func find(
        _ input: CRUDInput, _ type: any CRUDObject.Type, _ entity: Entity
    ) throws -> (any CRUDObject)? {
        let filter = try type.primaryFilter(for: input)
        try input.checkReads()
        let found: ManagedObject?
        if filter?.form == .never { return nil }
        if let filter, let key = UniqueKey(filter, of: entity) {
            let place = KeyPlace(entity: entity, attributes: key.attributes.map(\.name))
            found = try keyed[place, default: KeyedObjects(key.attributes, of: entity, in: context)]
                .object(with: key.values, in: context)
        } else {
            found = try context.first(FetchRequest<ManagedObject>(entity: entity.name, where: filter))
        }
        guard let found else { return nil }
        guard found.entity.isKind(of: entity), let object = found as? any CRUDObject else {
            throw ContextError(
                .wrongClass, "the object \(found.objectID) with the key of a dictionary is not of \(entity.name)",
                hint: "use another key, or delete the object first")
        }
        return object
    }

    // MARK: Processing

    /// Processes a dictionary, for a child with what it belongs to; returns the object, nil if it was deleted.
    mutating func process(
        _ input: CRUDInput, _ type: any CRUDObject.Type, _ entity: Entity,
        parent: (object: ManagedObject, relationship: RelationshipProperty)? = nil
    ) throws -> (object: ManagedObject?, state: CRUDState) {
        let known = try find(input, type, entity)
        let object: any CRUDObject
        var state: CRUDState
        if let known {
            let mayUpdate =
                try settings.needForcedUpdate
                || settings.allowUpdate && known.shouldUpdate(with: input, in: context)
            (object, state) = (known, mayUpdate ? .updated : .unchanged)
        } else {
            (object, state) = (try create(entity), .created)
        }
        if state != .unchanged {
            try object.update(with: input, in: context)
            try input.checkReads()
            if object.canBeKept {
                if let parent { link(object, to: parent.object, parent.relationship) }
                for key in keyed.keys { keyed[key]?.record(object) }
                try processChildren(of: object, input)
            }
        }
        if !object.canBeKept {
            state = .deleted
        } else if let reason = object.invalidReason {
            object.delete(reason: reason)
            state = .deleted
        } else {
            try keep(object, state, input)
            context.logCRUD(of: object, "\(state)")
        }
        try object.didCRUD(state, in: context)
        if state != .deleted, !object.canBeKept { state = .deleted }
        return (state == .deleted ? nil : object, state)
    }

    private func create(_ entity: Entity) throws -> any CRUDObject {
        guard !entity.isAbstract else {
            throw ContextError(
                .wrongClass, "\(entity.name) is abstract and has no objects", hint: "name the class of a subentity")
        }
        // The class of the entity conforms, because the caller has named it or found it to.
        guard let object = try context.insert(entity: entity.name) as? any CRUDObject else {
            throw ContextError(
                .wrongClass, "the class of \(entity.name) does not conform to CRUDObject", hint: "let it conform")
        }
        return object
    }

    private mutating func processChildren(of object: any CRUDObject, _ input: CRUDInput) throws {
        for child in type(of: object).crudChildren {
            guard let member = child.member, var inputs = try input.inputs(member) else { continue }
            let relationship = try context.relationship(child, of: object.entity)
            let (type, entity) = try context.crudClass(of: relationship)
            var haveDeletions = false
            for index in inputs.indices {
                if let inverse = relationship.inverse { inputs[index][inverse.name] = object as ManagedObject }
                let state = try process(inputs[index], type, entity, parent: (object, relationship)).state
                haveDeletions = haveDeletions || state == .deleted
                // A child may have deleted its parent.
                guard object.canBeKept else { return }
            }
            // Unlinks the deleted children, before `invalidReason` counts them.
            if haveDeletions { context.processPendingChanges() }
        }
    }

    private func link(_ child: ManagedObject, to parent: ManagedObject, _ relationship: RelationshipProperty) {
        if relationship.isToMany {
            parent.addToMany(relationship.slot, child)
        } else {
            parent.setObject(child, forKey: relationship.name)
        }
    }

    // MARK: Marking

    /// Marks an object as seen; its children too, as far as the dictionary has not named them itself.
    private mutating func keep(_ object: any CRUDObject, _ state: CRUDState, _ input: CRUDInput) throws {
        context.addMark(of: object)
        let children = type(of: object).crudChildren.filter { child in
            guard state != .unchanged, let member = child.member else { return true }
            return input.json[member].isMissing || input.json[member].isNull
        }
        guard !children.isEmpty else { return }
        // Loads the descendants of all objects at once, not those of each object that is kept.
        if !found.isEmpty { try context.forEachDescendant(of: found) { _ in } }
        found = []
        let relationships = try children.map { try context.relationship($0, of: object.entity) }
        try context.forEachDescendant(of: [(object, relationships)]) { context.addMark(of: $0) }
    }
}

extension ManagedObject {
    /// Whether it is neither deleted nor without a context.
    fileprivate var canBeKept: Bool { !isDeleted && context != nil }
}
