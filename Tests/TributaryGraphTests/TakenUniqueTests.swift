import Testing
import TributaryGraph
import TributarySQLite
import TributaryTestSupport

/// What has a code of its own kind.
private class TakenVehicle: ManagedObject {
    @Attribute var note: String?
    override class var isAbstractEntity: Bool { self == TakenVehicle.self }
}

private final class TakenShip: TakenVehicle {
    @Attribute(.unique) var code: Int
    @Attribute var name: String?
}

private final class TakenPlane: TakenVehicle {
    @Attribute(.unique) var code: Int
    @Attribute var name: String?
}

/// Unique values that an object of another entity has, where entities share a table.
@Suite struct TakenUniqueTests {
    private static let policies: [MergePolicy] = [.error, .storeTrump, .objectTrump, .overwrite, .rollback]

    private func people() throws -> ContextManager {
        let manager = try ContextManager.library()
        try manager.writeAndWait { context in
            let reader = context.insert(Reader.self)
            reader.id = 1
            reader.name = "reader"
        }
        return manager
    }

    /// Everybody as the store has them.
    private func rows(_ manager: ContextManager) throws -> [[SQLValue]] {
        try manager.stores.stores[0].read {
            try $0.rows(of: "SELECT \"_entity\", \"id\", \"name\" FROM \"Person\" ORDER BY \"id\"")
        }
    }

    @Test(arguments: policies) func insertionKeepsItsEntity(_ policy: MergePolicy) throws {
        let manager = try people()
        try manager.newPrivateContext().performAndWait { context in
            context.mergePolicy = policy
            let author = context.author(1, "author")
            let book = context.book("a", by: author)
            let error = #expect(throws: SaveError.self) { try context.save() }
            #expect(error?.code == .uniqueness && error?.conflicts.count == 1)
            #expect(error?.conflicts.first?.objectID == author.objectID)
            #expect(error?.conflicts.first?.uniqueProperties == ["id"])
            #expect(author.isInserted && author.objectID.isTemporary && author.name == "author")
            #expect(book.isInserted && book.author === author)
            #expect(try rows(manager) == [["Reader", 1, "reader"]])
            // Mended, it goes through.
            author.id = 2
            try context.save()
            #expect(!author.objectID.isTemporary && !context.hasChanges)
        }
        #expect(try rows(manager) == [["Reader", 1, "reader"], ["Author", 2, "author"]])
    }

    @Test(arguments: policies) func oneOfTheSameSaveIsNoOtherEither(_ policy: MergePolicy) throws {
        let manager = try people()
        manager.newPrivateContext().performAndWait { context in
            context.mergePolicy = policy
            let (author, reader) = (context.insert(Author.self), context.insert(Reader.self))
            (author.id, reader.id) = (5, 5)
            let error = #expect(throws: SaveError.self) { try context.save() }
            #expect(error?.code == .uniqueness)
            let named = error?.conflicts.first?.objectID
            #expect(named == author.objectID || named == reader.objectID)
            #expect(author.isInserted && reader.isInserted)
        }
        #expect(try rows(manager) == [["Reader", 1, "reader"]])
    }

    @Test(arguments: [MergePolicy.storeTrump, .rollback])
    func aSavedObjectKeepsItsValue(_ policy: MergePolicy) throws {
        let manager = try people()
        try manager.writeAndWait { _ = $0.author(2) }
        try manager.newPrivateContext().performAndWait { context in
            context.mergePolicy = policy
            let author = try #require(try Author.first(in: context))
            author.id = 1
            try context.save()
            #expect(author.id == 2 && !context.hasChanges)
        }
        #expect(try rows(manager) == [["Reader", 1, "reader"], ["Author", 2, nil]])
    }

    // MARK: Each its own

    /// A plane and a ship with code 1; the plane was there first.
    private func vehicles() throws -> (manager: ContextManager, ship: ObjectID, plane: ObjectID) {
        let manager = try ContextManager(model: Model(TakenShip.self, TakenPlane.self), store: .memory)
        let (ship, plane) = try manager.writeAndWait { context in
            let plane = context.insert(TakenPlane.self)
            plane.code = 1
            plane.name = "old plane"
            try context.save()
            let ship = context.insert(TakenShip.self)
            ship.code = 1
            ship.name = "old ship"
            try context.save()
            return (ship.objectID, plane.objectID)
        }
        return (manager, ship, plane)
    }

    private func named(_ manager: ContextManager) throws -> [[SQLValue]] {
        try manager.stores.stores[0].read {
            try $0.rows(of: "SELECT \"_entity\", \"code\", \"name\", \"note\" FROM \"TakenVehicle\" ORDER BY \"_pk\"")
        }
    }

    @Test(arguments: [MergePolicy.storeTrump, .objectTrump, .overwrite, .rollback], [true, false])
    func insertionBecomesTheRowOfItsOwnEntity(_ policy: MergePolicy, _ isLoaded: Bool) throws {
        let (manager, ship, plane) = try vehicles()
        let takesNew = policy == .objectTrump || policy == .overwrite
        try manager.newPrivateContext().performAndWait { context in
            context.mergePolicy = policy
            let loaded = try isLoaded ? context.existingObject(with: plane) as? TakenPlane : nil
            let new = context.insert(TakenShip.self)
            new.code = 1
            new.name = "new ship"
            try context.save()
            #expect(new.objectID == ship && new.name == (takesNew ? "new ship" : "old ship"))
            #expect(!context.hasChanges && new.context === context)
            #expect(try TakenShip.all(in: context) == [new])
            if let loaded { #expect(loaded.context === context && loaded.name == "old plane") }
            #expect(try TakenPlane.all(in: context).map(\.objectID) == [plane])
            new.note = "later"
            try context.save()
        }
        let name: SQLValue = takesNew ? "new ship" : "old ship"
        #expect(
            try named(manager) == [["TakenPlane", 1, "old plane", nil], ["TakenShip", 1, name, "later"]])
    }

    @Test func theErrorPolicyNamesTheRightRow() throws {
        let (manager, _, _) = try vehicles()
        manager.newPrivateContext().performAndWait { context in
            let new = context.insert(TakenShip.self)
            new.code = 1
            let error = #expect(throws: SaveError.self) { try context.save() }
            #expect(error?.code == .uniqueness && error?.conflicts.first?.objectID == new.objectID)
            #expect(error?.conflicts.first?.uniqueProperties == ["code"] && new.isInserted)
        }
    }

    @Test func whatOnlyASiblingHasIsFree() throws {
        let (manager, _, _) = try vehicles()
        try manager.writeAndWait { context in
            try #require(try TakenPlane.first(in: context)).code = 2
            try context.save()
            let ship = context.insert(TakenShip.self)
            ship.code = 2
        }
        #expect(try named(manager).map { $0[1] } == [2, 1, 2])
    }
}
