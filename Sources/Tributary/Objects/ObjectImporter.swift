import TributaryGraph
import TributaryImport
import TributaryJSON
import TributarySQLite

/// Turns drafts into objects of a context: one fetch for each entity and level, then values, then links.
struct ObjectImporter {
    let plan: ObjectPlan
    /// The context; nil to set only the attributes of objects that are there.
    let context: ManagedObjectContext?
    /// Whether a bare key makes the object that is missing, unless a rule says otherwise.
    let makesStubs: Bool
    /// The objects that were made, by unit and key.
    private var made: [Place: ManagedObject] = [:]

    private struct Place: Hashable {
        let unit: Int
        let key: [SQLValue]
    }

    init(_ plan: ObjectPlan, in context: ManagedObjectContext?, makesStubs: Bool = false) {
        (self.plan, self.context, self.makesStubs) = (plan, context, makesStubs)
    }

    /// Finds or makes the objects of all drafts, and sets their properties.
    ///
    /// Hooks are asked before anything inside of a member is read, made or looked up.
    mutating func apply(_ reader: inout ObjectReader) throws {
        var depth = 0
        while depth < reader.levels.count {
            let level = reader.levels[depth]
            for unit in plan.units.indices {
                let drafts = level.filter { $0.unit == unit }
                if let context, !drafts.isEmpty { try findObjects(of: drafts, unit, context) }
            }
            for draft in level where draft.object != nil {
                try setAttributes(draft)
                try readRelations(draft, &reader, depth)
            }
            depth += 1
        }
        let levels = reader.levels
        try resolveReferences(levels.joined().filter { $0.isReference && $0.object == nil })
        for draft in levels.joined() { setRelations(draft) }
        // Objects inside come first.
        for draft in levels.reversed().joined() where !draft.isReference {
            guard let object = draft.object else { continue }
            try plan.units[draft.unit].hooks.imported?(draft.json, object)
            if let context { try plan.units[draft.unit].hooks.importedInContext?(draft.json, object, context) }
        }
    }

    // MARK: Objects

    private mutating func findObjects(
        of drafts: [ObjectDraft], _ unit: Int, _ context: ManagedObjectContext
    ) throws {
        let (mapping, hooks) = (plan.units[unit].mapping, plan.units[unit].hooks)
        if let find = hooks.find {
            for draft in drafts where draft.object == nil && !draft.isReference {
                draft.object = try find(draft.json, context)
            }
        }
        let open = drafts.filter { $0.object == nil }
        let keyed = open.filter { $0.key != nil && (!hooks.alwaysMakesNew || $0.isReference) }
        if !keyed.isEmpty {
            var keys = SortedKeys(mapping.key, capacity: keyed.count)
            for draft in keyed { keys.append(draft.key ?? []) }
            keys.sort()
            let found = try context.objects(with: keys, of: mapping.entity.scope(ofKey: mapping.key))
            for (index, draft) in keyed.enumerated() {
                guard let object = found[Int(keys.group[index])] else { continue }
                guard object.entity.isKind(of: mapping.entity) else {
                    throw draft.json.failure(
                        .keyType, "the object with this key is of \(object.entity.name), not of \(mapping.entity.name)")
                }
                draft.object = object
            }
        }
        for draft in open where draft.object == nil && !draft.isReference {
            if let key = draft.key, !hooks.alwaysMakesNew, let known = made[Place(unit: unit, key: key)] {
                draft.object = known
            } else {
                draft.object = try make(draft, mapping, context)
            }
        }
    }

    private mutating func make(
        _ draft: ObjectDraft, _ mapping: EntityMapping, _ context: ManagedObjectContext
    ) throws -> ManagedObject {
        let object = try context.insert(entity: mapping.entity.name)
        draft.isNew = true
        guard let key = draft.key else { return object }
        made[Place(unit: draft.unit, key: key)] = object
        for (attribute, value) in zip(mapping.key, key) {
            try object.setValue(attribute.filterValue(stored: value), forKey: attribute.name)
        }
        return object
    }

    /// Bare keys may name objects that other drafts have made.
    private mutating func resolveReferences(_ drafts: [ObjectDraft]) throws {
        for draft in drafts {
            let mapping = plan.units[draft.unit].mapping
            draft.object = draft.key.flatMap { made[Place(unit: draft.unit, key: $0)] }
            if draft.object != nil { continue }
            let dangling = draft.dangling ?? (makesStubs ? .stub : .wait)
            if dangling == .null { continue }
            guard dangling == .stub, let context else {
                var error = draft.json.failure(.keyMissing, "there is no \(mapping.entity.name) with this key")
                error.hint = "import it first, or let missing objects be made (stubs: true, --dangling stub)"
                throw error
            }
            draft.object = try make(draft, mapping, context)
        }
    }

    // MARK: Attributes

    private func setAttributes(_ draft: ObjectDraft) throws {
        guard let object = draft.object else { return }
        let unit = plan.units[draft.unit]
        if let hook = unit.hooks.wanted { try askAlone(draft, hook, object) }
        for index in unit.mapping.order {
            let mapped = unit.mapping.attributes[index]
            // A new object has its key already; an object that was given gets it.
            let hasValue = mapped.isKey && draft.isNew && draft.key != nil
            var value = draft.values[index]
            if case .missing = value, draft.isNew, let other = mapped.defaultValue { value = .stored(other) }
            guard draft.isNew || mapped.policy != .program, !isStale(mapped.newest, draft, object) else { continue }
            if let hook = unit.hooks.wanted, let member = draft.members.attributes[index] {
                guard try draft.mayImport(member, hook, object) else { continue }
            }
            if hasValue { continue }
            let new: FilterValue
            switch value {
            case .missing: continue
            case .stored(let stored): new = mapped.attribute.filterValue(stored: stored)
            case .converted(let converted): new = converted
            case .unfit(let error): throw error
            }
            try object.setValue(new, forKey: mapped.name)
        }
    }

    /// Asks the hook about members that are not those of a property themselves, in the order of the JSON text.
    private func askAlone(_ draft: ObjectDraft, _ hook: ImportHooks.Wanted, _ object: ManagedObject) throws {
        let mapping = plan.units[draft.unit].mapping
        let members = draft.members.attributes + draft.members.relations
        var known = Set(members.compactMap { $0.map(\.path) }).union(mapping.ignored)
        for (name, value) in draft.json.kind == .object ? Array(draft.json.members) : []
        where known.insert([name]).inserted {
            let member = ObjectDraft.Member(path: [name], value: value)
            if try !draft.mayImport(member, hook, object) { draft.refused.insert(name) }
        }
    }

    /// Whether the value of an attribute is less than that of the object.
    private func isStale(_ name: String?, _ draft: ObjectDraft, _ object: ManagedObject) -> Bool {
        guard let name, !draft.isNew,
            let index = plan.units[draft.unit].mapping.attributes.firstIndex(where: { $0.name == name }),
            case .stored(let stored) = draft.values[index]
        else { return false }
        let attribute = plan.units[draft.unit].mapping.attributes[index].attribute
        let (new, old): (FilterValue, FilterValue) = (attribute.filterValue(stored: stored), object[name])
        switch (new, old) {
        case (.integer(let new), .integer(let old)): return new < old
        case (.double(let new), .double(let old)): return new < old
        case (.decimal(let new), .decimal(let old)): return new < old
        case (.date(let new), .date(let old)): return new < old
        case (.string(let new), .string(let old)): return new.utf8.lexicographicallyPrecedes(old.utf8)
        default: return false
        }
    }

    // MARK: Relations

    /// Reads the objects of relations if the hook agrees.
    private func readRelations(_ draft: ObjectDraft, _ reader: inout ObjectReader, _ depth: Int) throws {
        let unit = plan.units[draft.unit]
        guard let hook = unit.hooks.wanted, let object = draft.object else { return }
        for index in unit.mapping.relations.indices where isWanted(index, draft, object) {
            guard let member = draft.members.relations[index], try draft.mayImport(member, hook, object) else {
                continue
            }
            try reader.readRelation(index, of: draft, depth: depth)
        }
    }

    /// Whether a draft may change a relation of its object.
    private func isWanted(_ index: Int, _ draft: ObjectDraft, _ object: ManagedObject) -> Bool {
        let relation = plan.units[draft.unit].mapping.relations[index]
        return draft.isNew || relation.policy != .program && !isStale(relation.newest, draft, object)
    }

    private func setRelations(_ draft: ObjectDraft) {
        guard let object = draft.object, !draft.isReference else { return }
        for (index, relation) in plan.units[draft.unit].mapping.relations.enumerated() {
            guard isWanted(index, draft, object), let others = draft.relationValues[index] else { continue }
            set(others.compactMap(\.object), relation, of: object)
        }
    }

    private func set(_ others: [ManagedObject], _ relation: MappedRelation, of object: ManagedObject) {
        if relation.isToOne {
            let old = object.object(forKey: relation.name)
            guard old !== others.first else { return }
            object.setObject(others.first, forKey: relation.name)
            if let old { deleteIfOrphaned(old, relation) }
            return
        }
        let old = object.objects(forKey: relation.name)
        var new: [ManagedObject] = relation.links == .replace ? [] : old
        var known = Set(new.map { ObjectIdentifier($0) })
        for other in others where known.insert(ObjectIdentifier(other)).inserted { new.append(other) }
        let isSame =
            relation.relationship.isOrdered
            ? old.elementsEqual(new, by: ===) : Set(old.map { ObjectIdentifier($0) }) == known
        guard !isSame else { return }
        object.setObjects(new, forKey: relation.name)
        for other in old where !known.contains(ObjectIdentifier(other)) { deleteIfOrphaned(other, relation) }
    }

    /// Deletes an object that was unlinked from the owner that it must have.
    private func deleteIfOrphaned(_ object: ManagedObject, _ relation: MappedRelation) {
        guard let inverse = relation.relationship.inverse, !inverse.isToMany, !inverse.isOptional, !object.isDeleted,
            object.object(forKey: inverse.name) == nil
        else { return }
        object.delete()
    }
}
