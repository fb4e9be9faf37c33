import Testing
import TributaryGraph
import TributarySQLite
import TributaryTestSupport

/// A model of its own: an entity without properties.
private final class BareThing: ManagedObject {}

/// The parent entity of a hierarchy without properties.
private class BareKind: ManagedObject {}

/// A subentity without properties.
private final class BareSpecies: BareKind {}

/// Entities without any property.
@Suite struct BareEntityTests {
    // Enough objects to fill several slabs of memory, one of the largest size included.
    private static let count = 5_000
    private let manager: ContextManager

    init() throws {
        manager = try ContextManager(
            model: Model(BareThing.self, BareKind.self, BareSpecies.self), store: .memory)
    }

    @Test("Objects without properties are inserted, fetched, counted and deleted")
    func theyComeAndGo() throws {
        for round in 0..<2 {
            try manager.newPrivateContext().performAndWait { context in
                let things = (0..<Self.count).map { _ in context.insert(BareThing.self) }
                #expect(try BareThing.count(in: context) == Self.count)
                try context.save()
                #expect(Set(things.map(\.objectID)).count == Self.count && !context.hasChanges)
                #expect(things.allSatisfy { !$0.objectID.isTemporary && $0.entity.properties.isEmpty })
            }
            try manager.newPrivateContext().performAndWait { context in
                let things = try BareThing.all(in: context)
                #expect(things.count == Self.count && Set(things.map(\.objectID)).count == Self.count)
                for place in stride(from: 0, to: Self.count, by: 2) { things[place].delete() }
                try context.save()
                #expect(try BareThing.all(in: context).count == Self.count / 2)
            }
            try manager.newPrivateContext().performAndWait { context in
                #expect(try BareThing.deleteAll(in: context) == Self.count / 2)
                try context.save()
                #expect(try BareThing.count(in: context) == 0, "round \(round)")
            }
        }
        let store = manager.stores.stores[0]
        #expect(try store.read { try $0.value(of: "SELECT COUNT(*) FROM \"BareThing\"") } == 0)
        #expect(try store.read { try $0.rows(of: "PRAGMA integrity_check") } == [["ok"]])
    }

    @Test("Counts stay right while the memory of deleted objects is reused")
    func theirMemoryIsUsedAgain() throws {
        let seed = SeededGenerator.fresh().seed
        try manager.newPrivateContext().performAndWait { context in
            var random = SeededGenerator(seed: seed)
            var things: [BareThing] = []
            for _ in 0..<20 {
                for _ in 0..<1_000 { things.append(context.insert(BareThing.self)) }
                things.shuffle(using: &random)
                for thing in things.suffix(700) { thing.delete() }
                things.removeLast(700)
                context.processPendingChanges()
            }
            #expect(context.insertedObjects.count == things.count && things.count == 6_000, "seed \(seed)")
            try context.save()
            #expect(try BareThing.count(in: context) == things.count, "seed \(seed)")
            for thing in things { thing.delete() }
            try context.save()
            #expect(try BareThing.count(in: context) == 0, "seed \(seed)")
        }
    }

    @Test("Objects without properties keep the class of their subentity")
    func thoseOfAHierarchyAreToldApart() throws {
        let ids = try manager.writeAndWait { context in
            var things: [BareKind] = []
            for _ in 0..<100 {
                things.append(context.insert(BareKind.self))
                let species = context.insert(BareSpecies.self)
                things.append(species)
            }
            try context.save()
            return things.map(\.objectID)
        }
        try manager.newPrivateContext().performAndWait { context in
            #expect(try BareKind.count(in: context) == 200 && BareSpecies.count(in: context) == 100)
            for (place, id) in ids.enumerated() {
                let thing = try context.existingObject(with: id)
                #expect((thing is BareSpecies) == (place % 2 == 1))
            }
            try BareSpecies.deleteAll(in: context)
            try context.save()
            #expect(try BareKind.all(in: context).count == 100)
        }
    }
}
