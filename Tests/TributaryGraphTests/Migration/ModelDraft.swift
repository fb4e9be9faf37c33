import TributaryGraph
import TributaryTestSupport

/// A random model that changes, and whose properties have identities that outlive their names.
struct ModelDraft {
    var entities: [EntityDescription] = []
    /// The identities of properties, by entity and name.
    var identities: [String: [String: Int]] = [:]
    var next = 0
    /// What has exchanged its name once: a second exchange with the same identifiers looks like none.
    var exchanged: Set<Int> = []

    mutating func identity() -> Int {
        next += 1
        return next
    }

    /// The model; nil if the changes have led to one that is not valid.
    var model: Model? { try? Model(ModelDescription(entities)) }

    /// A model with hierarchies, siblings and relationships of all kinds.
    static func random(_ random: inout SeededGenerator) -> ModelDraft {
        var draft = ModelDraft()
        for name in ["A", "B", "C", "D"] {
            var entity = EntityDescription(name)
            // C and D are below A.
            entity.parent = name == "C" || name == "D" ? "A" : nil
            for number in 0..<(1 + random.below(3)) {
                let attribute = AttributeDescription(
                    "\(name.lowercased())\(number)", random.pick([.string, .integer64, .double]))
                entity.attributes.append(attribute)
                draft.identities[name, default: [:]][attribute.name] = draft.identity()
            }
            draft.entities.append(entity)
        }
        for number in 0..<3 {
            let (from, to) = (random.below(4), random.below(4))
            var one = RelationshipDescription("r\(number)", to: draft.entities[to].name)
            one.isToMany = random.once(in: 2)
            one.isOrdered = one.isToMany && random.once(in: 3)
            draft.identities[draft.entities[from].name, default: [:]][one.name] = draft.identity()
            if random.once(in: 2) {
                var inverse = RelationshipDescription("i\(number)", to: draft.entities[from].name)
                inverse.isToMany = random.once(in: 2)
                (one.inverse, inverse.inverse) = (inverse.name, one.name)
                draft.identities[draft.entities[to].name, default: [:]][inverse.name] = draft.identity()
                draft.entities[to].relationships.append(inverse)
            }
            draft.entities[from].relationships.append(one)
        }
        if random.once(in: 2) {
            let at = random.below(4)
            var one = RelationshipDescription("s0", to: draft.entities[at].name)
            one.isToMany = random.once(in: 2)
            one.inverse = "s0"
            draft.identities[draft.entities[at].name, default: [:]][one.name] = draft.identity()
            draft.entities[at].relationships.append(one)
        }
        return draft
    }

    /// Clears renaming identifiers, and then makes one to three changes.
    static func change(_ draft: inout ModelDraft, _ random: inout SeededGenerator) {
        if random.once(in: 2) {
            for index in draft.entities.indices {
                draft.entities[index].renamingIdentifier = nil
                for place in draft.entities[index].attributes.indices {
                    draft.entities[index].attributes[place].renamingIdentifier = nil
                }
                for place in draft.entities[index].relationships.indices {
                    draft.entities[index].relationships[place].renamingIdentifier = nil
                }
            }
        }
        for _ in 0..<(1 + random.below(3)) {
            let index = random.below(draft.entities.count)
            let entity = draft.entities[index]
            switch random.below(15) {
            case 0:
                let attribute = AttributeDescription("n\(draft.next)", random.pick([.string, .integer64]))
                draft.identities[entity.name, default: [:]][attribute.name] = draft.identity()
                draft.entities[index].attributes.append(attribute)
            case 1:
                guard !entity.attributes.isEmpty else { continue }
                let place = random.below(entity.attributes.count)
                let old = entity.attributes[place]
                guard old.renamingIdentifier == nil, !old.name.hasPrefix("n") else { continue }
                let name = "m\(draft.next)"
                draft.entities[index].attributes[place].name = name
                draft.entities[index].attributes[place].renamingIdentifier = old.name
                let known = draft.identities[entity.name]?.removeValue(forKey: old.name)
                draft.identities[entity.name]?[name] = known
                _ = draft.identity()
            case 2:
                guard !entity.attributes.isEmpty else { continue }
                let old = draft.entities[index].attributes.remove(at: random.below(entity.attributes.count))
                draft.identities[entity.name]?[old.name] = nil
            case 3:
                guard !entity.relationships.isEmpty else { continue }
                let place = random.below(entity.relationships.count)
                if !entity.relationships[place].isToMany { draft.entities[index].relationships[place].isToMany = true }
            case 4:
                guard !entity.relationships.isEmpty else { continue }
                let place = random.below(entity.relationships.count)
                if entity.relationships[place].isToMany {
                    draft.entities[index].relationships[place].isOrdered.toggle()
                }
            case 5:
                // The inverse is removed, and the other side keeps the links.
                guard
                    let place = entity.relationships.firstIndex(where: { $0.inverse != nil && $0.name.hasPrefix("r") })
                else { continue }
                let one = entity.relationships[place]
                draft.entities[index].relationships[place].inverse = nil
                guard let other = draft.entities.firstIndex(where: { $0.name == one.destination }) else { continue }
                draft.entities[other].relationships.removeAll { $0.name == one.inverse }
                draft.identities[one.destination]?[one.inverse ?? ""] = nil
            case 7:
                // Pull an attribute or a relationship of C or D up to A.
                guard let parent = entity.parent, let up = draft.entities.firstIndex(where: { $0.name == parent })
                else { continue }
                if random.once(in: 2), !entity.attributes.isEmpty {
                    let one = draft.entities[index].attributes.remove(at: random.below(entity.attributes.count))
                    let id = draft.identities[entity.name]?.removeValue(forKey: one.name)
                    draft.identities[parent, default: [:]][one.name] = id
                    draft.entities[up].attributes.append(one)
                } else if !entity.relationships.isEmpty {
                    let place = random.below(entity.relationships.count)
                    guard entity.relationships[place].inverse == nil else { continue }
                    let one = draft.entities[index].relationships.remove(at: place)
                    let id = draft.identities[entity.name]?.removeValue(forKey: one.name)
                    draft.identities[parent, default: [:]][one.name] = id
                    draft.entities[up].relationships.append(one)
                }
            case 8:
                // Push one down from A to C or D.
                guard let parent = entity.parent, let up = draft.entities.firstIndex(where: { $0.name == parent })
                else { continue }
                let a = draft.entities[up]
                if random.once(in: 2), !a.attributes.isEmpty {
                    let one = draft.entities[up].attributes.remove(at: random.below(a.attributes.count))
                    let id = draft.identities[parent]?.removeValue(forKey: one.name)
                    draft.identities[entity.name, default: [:]][one.name] = id
                    draft.entities[index].attributes.append(one)
                } else if !a.relationships.isEmpty {
                    let place = random.below(a.relationships.count)
                    guard a.relationships[place].inverse == nil else { continue }
                    let one = draft.entities[up].relationships.remove(at: place)
                    let id = draft.identities[parent]?.removeValue(forKey: one.name)
                    draft.identities[entity.name, default: [:]][one.name] = id
                    draft.entities[index].relationships.append(one)
                }
            case 9:
                // Add an inverse.
                guard let place = entity.relationships.firstIndex(where: { $0.inverse == nil }) else { continue }
                let one = entity.relationships[place]
                guard let other = draft.entities.firstIndex(where: { $0.name == one.destination }) else { continue }
                let name = "j\(draft.next)"
                var inverse = RelationshipDescription(name, to: entity.name)
                inverse.isToMany = random.once(in: 2)
                inverse.isOrdered = inverse.isToMany && random.once(in: 2)
                inverse.inverse = one.name
                draft.identities[one.destination, default: [:]][name] = draft.identity()
                draft.entities[index].relationships[place].inverse = name
                draft.entities[other].relationships.append(inverse)
            case 10:
                // Exchange the names of two attributes.
                guard entity.attributes.count > 1 else { continue }
                let (p, q) = (0, 1)
                let (x, y) = (entity.attributes[p].name, entity.attributes[q].name)
                guard entity.attributes[p].renamingIdentifier == nil, entity.attributes[q].renamingIdentifier == nil,
                    entity.attributes[p].type == entity.attributes[q].type
                else { continue }
                guard !x.hasPrefix("n"), !y.hasPrefix("n") else { continue }
                let both = [x, y].compactMap { draft.identities[entity.name]?[$0] }
                guard draft.exchanged.isDisjoint(with: both) else { continue }
                draft.exchanged.formUnion(both)
                (draft.entities[index].attributes[p].name, draft.entities[index].attributes[p].renamingIdentifier) = (
                    y, x
                )
                (draft.entities[index].attributes[q].name, draft.entities[index].attributes[q].renamingIdentifier) = (
                    x, y
                )
                let (i, j) = (draft.identities[entity.name]?[x], draft.identities[entity.name]?[y])
                draft.identities[entity.name]?[x] = j
                draft.identities[entity.name]?[y] = i
                let extra = AttributeDescription("n\(draft.next)", .string)
                draft.identities[entity.name, default: [:]][extra.name] = draft.identity()
                draft.entities[index].attributes.append(extra)
            case 11:
                // Rename a relationship.
                guard !entity.relationships.isEmpty else { continue }
                let place = random.below(entity.relationships.count)
                let old = entity.relationships[place]
                guard old.renamingIdentifier == nil, old.inverse != old.name else { continue }
                let name = "\(random.pick(["a", "z"]))r\(draft.next)"
                draft.entities[index].relationships[place].name = name
                draft.entities[index].relationships[place].renamingIdentifier = old.name
                if let inverse = old.inverse,
                    let other = draft.entities.firstIndex(where: { $0.name == old.destination })
                {
                    for k in draft.entities[other].relationships.indices
                    where draft.entities[other].relationships[k].name == inverse {
                        draft.entities[other].relationships[k].inverse = name
                    }
                }
                let known = draft.identities[entity.name]?.removeValue(forKey: old.name)
                draft.identities[entity.name]?[name] = known
                _ = draft.identity()
            case 12:
                // Exchange the names of two entities.
                let other = (index + 1) % draft.entities.count
                guard draft.entities.allSatisfy({ $0.renamingIdentifier == nil }) else { continue }
                guard draft.exchanged.isDisjoint(with: [-1 - index, -1 - other]) else { continue }
                draft.exchanged.formUnion([-1 - index, -1 - other])
                let (x, y) = (draft.entities[index].name, draft.entities[other].name)
                func new(_ name: String) -> String { name == x ? y : name == y ? x : name }
                draft.entities[index].renamingIdentifier = x
                draft.entities[other].renamingIdentifier = y
                for k in draft.entities.indices {
                    draft.entities[k].name = new(draft.entities[k].name)
                    draft.entities[k].parent = draft.entities[k].parent.map(new)
                    for r in draft.entities[k].relationships.indices {
                        draft.entities[k].relationships[r].destination = new(
                            draft.entities[k].relationships[r].destination)
                    }
                }
                (draft.identities[x], draft.identities[y]) = (draft.identities[y], draft.identities[x])
                let extra = AttributeDescription("n\(draft.next)", .string)
                draft.identities[draft.entities[index].name, default: [:]][extra.name] = draft.identity()
                draft.entities[index].attributes.append(extra)
            case 13:
                // C or D leaves the hierarchy with what it has inherited.
                guard let parent = entity.parent, let up = draft.entities.firstIndex(where: { $0.name == parent }),
                    random.once(in: 2)
                else { continue }
                guard draft.entities[up].relationships.allSatisfy({ $0.inverse == nil }) else { continue }
                draft.entities[index].parent = nil
                draft.entities[index].attributes += draft.entities[up].attributes
                draft.entities[index].relationships += draft.entities[up].relationships
                for (name, id) in draft.identities[parent] ?? [:] {
                    draft.identities[entity.name, default: [:]][name] = id
                }
            case 14:
                // Siblings get attributes of the same name, by renaming.
                guard let parent = entity.parent,
                    let sibling = draft.entities.first(where: { $0.parent == parent && $0.name != entity.name })
                else { continue }
                guard let one = entity.attributes.first,
                    let two = sibling.attributes.first(where: { $0.type == one.type }), one.renamingIdentifier == nil,
                    !one.name.hasPrefix("n"), !two.name.hasPrefix("n"),
                    !entity.attributes.contains(where: { $0.name == two.name })
                else { continue }
                draft.entities[index].attributes[0].name = two.name
                draft.entities[index].attributes[0].renamingIdentifier = one.name
                let known = draft.identities[entity.name]?.removeValue(forKey: one.name)
                draft.identities[entity.name]?[two.name] = known
            default:
                guard entity.renamingIdentifier == nil, entity.name.count == 1 else { continue }
                let name = "E\(draft.next)"
                _ = draft.identity()
                draft.entities[index].name = name
                draft.entities[index].renamingIdentifier = entity.name
                let known = draft.identities.removeValue(forKey: entity.name)
                draft.identities[name] = known
                for other in draft.entities.indices {
                    if draft.entities[other].parent == entity.name { draft.entities[other].parent = name }
                    for place in draft.entities[other].relationships.indices
                    where draft.entities[other].relationships[place].destination == entity.name {
                        draft.entities[other].relationships[place].destination = name
                    }
                }
            }
        }
    }
}
