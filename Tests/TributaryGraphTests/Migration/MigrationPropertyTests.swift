import Foundation
import Testing
import TributaryGraph
import TributarySQLite
import TributaryTestSupport

/// Random sequences of changes to a random model: each object keeps the values of the attributes and links that stay.
@Suite struct MigrationPropertyTests {
    private static var rounds: Int {
        ProcessInfo.processInfo.environment["TRIBUTARY_MIGRATIONS"].flatMap { Int($0) } ?? 40
    }

    /// A model whose properties have identities that outlive their names.
    private struct Draft {
        var entities: [EntityDescription] = []
        /// The identities of properties, by entity and name.
        var identities: [String: [String: Int]] = [:]
        var next = 0

        mutating func identity() -> Int {
            next += 1
            return next
        }
    }

    private func draft(_ random: inout SeededGenerator) -> Draft {
        var draft = Draft()
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
        return draft
    }

    /// Clears renaming identifiers, and then makes one to three changes.
    private func change(_ draft: inout Draft, _ random: inout SeededGenerator) {
        for index in draft.entities.indices {
            draft.entities[index].renamingIdentifier = nil
            for place in draft.entities[index].attributes.indices {
                draft.entities[index].attributes[place].renamingIdentifier = nil
            }
            for place in draft.entities[index].relationships.indices {
                draft.entities[index].relationships[place].renamingIdentifier = nil
            }
        }
        for _ in 0..<(1 + random.below(3)) {
            let index = random.below(draft.entities.count)
            let entity = draft.entities[index]
            switch random.below(7) {
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

    /// Objects by key, and their values and links by the identity of the property.
    private func snapshot(_ store: String, _ model: Model, _ draft: Draft) throws -> [String: [Int: [String]]] {
        var objects: [String: [Int: [String]]] = [:]
        let manager = try ContextManager(model: model, store: .sqlite(store))
        try manager.readAndWait { context in
            for entity in model.entities {
                var request = FetchRequest<ManagedObject>(entity: entity.name)
                request.includesSubentities = false
                for object in try context.fetch(request) {
                    var values: [Int: [String]] = [:]
                    for property in entity.properties {
                        let owner = property.attribute?.entity ?? property.relationship?.entity
                        guard let identity = owner.flatMap({ draft.identities[$0.name]?[property.name] }) else {
                            continue
                        }
                        let value: FilterValue = object[property.name]
                        switch value {
                        case .null: break
                        case .list(let list): if !list.isEmpty { values[identity] = list.map(Self.text) }
                        default: values[identity] = [Self.text(value)]
                        }
                        if property.relationship.map({ !$0.isOrdered }) ?? false { values[identity]?.sort() }
                    }
                    // Keys are unique within a hierarchy, and the order of the entities never changes.
                    objects["\(entity.index):\(object.objectID.uri.lastPathComponent)"] = values
                }
            }
        }
        for store in manager.stores.stores { store.close() }
        return objects
    }

    private static func text(_ value: FilterValue) -> String {
        if case .object(let reference) = value {
            "\(reference)".split(separator: "/").last.map(String.init) ?? ""
        } else {
            "\(value)"
        }
    }

    @Test("Values and links of what stays are equal after random changes")
    func randomChanges() throws {
        var random = SeededGenerator.fresh()
        print("MigrationPropertyTests: seed \(random.seed)")
        var (migrated, refused) = (0, 0)
        for round in 0..<Self.rounds {
            var draft = draft(&random)
            guard var model = try? Model(ModelDescription(draft.entities)) else { continue }
            let seed = random.next()
            let world = try MigrationWorld(model) { context in
                var random = SeededGenerator(seed: seed)
                var objects: [ManagedObject] = []
                for _ in 0..<25 { objects.append(try context.insert(entity: random.pick(model.entities.map(\.name)))) }
                try context.obtainPermanentIDs(for: objects)
                for object in objects {
                    for attribute in object.entity.attributes where !random.once(in: 4) {
                        switch attribute.type {
                        case .string: object[attribute.name] = FilterValue.string("\(random.below(99))")
                        case .double: object[attribute.name] = FilterValue.double(Double(random.below(99)) / 4)
                        default: object[attribute.name] = FilterValue.integer(Int64(random.below(99)))
                        }
                    }
                    for relationship in object.entity.relationships where !random.once(in: 3) {
                        let others = objects.filter { $0.entity.isKind(of: relationship.destination) }
                        guard !others.isEmpty else { continue }
                        let some = (0..<(1 + random.below(3))).map { _ in random.pick(others) }
                        let references = some.map { FilterValue.object(FilterReference($0.objectID)) }
                        object[relationship.name] = relationship.isToMany ? .list(references) : references[0]
                    }
                }
            }
            for _ in 0..<3 {
                let before = try snapshot(world.path, model, draft)
                let earlier = draft
                change(&draft, &random)
                guard let later = try? Model(ModelDescription(draft.entities)) else {
                    draft = earlier
                    continue
                }
                let plan = MigrationPlan(from: model, to: later)
                guard plan.refusals.isEmpty else {
                    refused += 1
                    draft = earlier
                    continue
                }
                do {
                    try world.migrate(to: later) { $0.dropsValues = true }
                } catch let error as StoreError where error.reason.contains("would have several") {
                    refused += 1
                    draft = earlier
                    continue
                }
                model = later
                migrated += 1
                let after = try snapshot(world.path, model, draft)
                #expect(before.count == after.count)
                let known = Set(draft.identities.values.flatMap(\.values))
                let orders = Set(
                    model.entities.flatMap { entity in
                        entity.relationships.compactMap { draft.identities[entity.name]?[$0.name] }
                    })
                for (key, values) in before {
                    let kept = values.filter { known.contains($0.key) }
                    let now = after[key]?.filter { values[$0.key] != nil || kept[$0.key] != nil } ?? [:]
                    // The order of links may change with that of the relationship.
                    func plain(_ values: [Int: [String]]) -> [Int: [String]] {
                        Dictionary(
                            uniqueKeysWithValues: values.map {
                                ($0.key, orders.contains($0.key) ? $0.value.sorted() : $0.value)
                            })
                    }
                    #expect(plain(now) == plain(kept), "seed \(random.seed), round \(round), \(plan)")
                }
            }
        }
        #expect(migrated > Self.rounds, "\(migrated) migrated, \(refused) refused")
    }
}
