import Testing
import TributaryGraph

/// References to objects that an undo inserts again.
@Suite struct UndoneReferenceTests {
    final class Target: ManagedObject {
        @Attribute var name: String?
    }

    final class Owner: ManagedObject {
        @Attribute var name: String?
        @Relationship var target: Target?
    }

    @Test("A reference to an object that never had a row is stored once an undo has inserted the object again")
    func reinserted() throws {
        let manager = try ContextManager(model: Model(Target.self, Owner.self), store: .memory)
        try manager.newPrivateContext().performAndWait { context in
            context.undoManager = ContextUndoManager()
            let owner = context.insert(Owner.self)
            try context.save()
            let target = context.insert(Target.self)
            try context.obtainPermanentIDs(for: [target])
            owner.target = target
            context.processPendingChanges()
            target.delete()
            try context.save()
            try context.undo()
            #expect(owner.target === target)
            try context.save()
            owner.name = "changed"
            try context.save()
        }
        try manager.newPrivateContext().performAndWait { context in
            let owner = try #require(try Owner.first(in: context))
            #expect(owner.name == "changed" && owner.target != nil)
        }
    }
}
