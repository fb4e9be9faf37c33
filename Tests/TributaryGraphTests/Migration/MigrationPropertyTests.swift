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

    /// What may be in the way of a migration in the rows.
    private static let refusals = [
        "would have several", "refer to objects that are no longer of", "become inverses, but have different links",
    ]

    /// Objects by key, and their values and links by the identity of the property.
    private func snapshot(_ store: String, _ model: Model, _ draft: ModelDraft) throws -> [String: [Int: [String]]] {
        var objects: [String: [Int: [String]]] = [:]
        let manager = try ContextManager(model: model, store: .sqlite(store))
        try manager.readAndWait { context in
            for entity in model.entities {
                var request = FetchRequest<ManagedObject>(entity: entity.name)
                request.includesSubentities = false
                for object in try context.fetch(request) {
                    var values: [Int: [String]] = [:]
                    for property in entity.properties {
                        guard let identity = draft.identities[property.entity.name]?[property.name] else {
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
            var draft = ModelDraft.random(&random)
            guard var model = draft.model else { continue }
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
                let (earlierModel, earlier) = (model, draft)
                ModelDraft.change(&draft, &random)
                guard let later = draft.model, MigrationPlan(from: model, to: later).refusals.isEmpty else {
                    draft = earlier
                    continue
                }
                do {
                    try world.migrate(to: later) { $0.dropsValues = true }
                } catch let error as StoreError where Self.refusals.contains(where: error.reason.contains) {
                    refused += 1
                    draft = earlier
                    continue
                }
                model = later
                migrated += 1
                let after = try snapshot(world.path, model, draft)
                #expect(before.count == after.count)
                let (was, now) = (identities(earlierModel, earlier), identities(model, draft))
                for (key, values) in before {
                    let kept = { (values: [Int: [String]]) in
                        let index = Int(key.split(separator: ":")[0]) ?? 0
                        return Self.comparable(values, was[index], now[index])
                    }
                    let plan = MigrationPlan(from: earlierModel, to: model)
                    #expect(
                        kept(after[key] ?? [:]) == kept(values), "seed \(random.seed), round \(round), \(key): \(plan)")
                }
            }
        }
        print("MigrationPropertyTests: \(migrated) migrations, \(refused) refused")
        #expect(migrated > Self.rounds)
    }

    /// The identities of the properties of each entity, and whether they are relationships with an order.
    private func identities(_ model: Model, _ draft: ModelDraft) -> [[Int: Bool]] {
        model.entities.map { entity in
            var found: [Int: Bool] = [:]
            for property in entity.properties {
                guard let identity = draft.identities[property.entity.name]?[property.name] else { continue }
                found[identity] = property.relationship?.isOrdered ?? false
            }
            return found
        }
    }

    /// The values of the properties that both models have; links in order if they are ordered in both.
    private static func comparable(
        _ values: [Int: [String]], _ was: [Int: Bool], _ now: [Int: Bool]
    ) -> [Int: [String]] {
        var comparable: [Int: [String]] = [:]
        for (identity, list) in values {
            guard let wasOrdered = was[identity], let isOrdered = now[identity] else { continue }
            comparable[identity] = wasOrdered && isOrdered ? list : list.sorted()
        }
        return comparable
    }
}
