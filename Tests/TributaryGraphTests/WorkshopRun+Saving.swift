import Foundation
import TributaryConcurrency
import TributaryGraph
import TributaryTestSupport

/// The steps that save, merge, roll back, reset or refresh.
extension WorkshopRun {
    func failure(_ body: () throws -> Void) -> (any Error)? {
        do {
            try body()
            return nil
        } catch {
            return error
        }
    }

    func save(_ player: WorkshopPlayer, _ context: ManagedObjectContext) throws {
        if let parent = player.parent { return try push(player, context, into: parent) }
        note(player, "save")
        player.oracle.process()
        let denials = player.oracle.denials
        if !denials.isEmpty {
            let error = failure { try context.save() }
            guard let refusal = error as? SaveError, refusal.code == .validation else {
                throw WorkshopFailure("a save that must be denied for \(denials) gave \(error.debugDescription)")
            }
            try verify(player, context)
            if generator.once(in: 2) { try rollback(player, context) }
            return
        }
        if generator.once(in: 3) { try verify(player, context) }
        lastSave.withLock { $0 = nil }
        let dirty = player.oracle.inserted.union(player.oracle.touched).union(player.oracle.deleted)
        let gone = player.oracle.deleted
        let before = store
        do {
            try context.save()
        } catch {
            throw WorkshopFailure("the save failed: \(error)\(try leaningOnDeleted(context))")
        }
        store = player.oracle.saved
        player.oracle.endSave()
        forget(player, gone.union(player.ghosts))
        player.ghosts = []
        try WorkshopFailure.unless(!context.hasChanges, "the context has changes after the save")
        if generator.once(in: 2) { try verify(player, context) }
        if dirty.isEmpty { return }
        for other in players where other !== player {
            try other.enter { try self.merge(other, $0, dirty, gone, before) }
        }
        try checkStore()
    }

    /// Describes references from changed objects to deleted ones, for the report of a failure.
    private func leaningOnDeleted(_ context: ManagedObjectContext) throws -> String {
        var found = ""
        let deleted = Set(context.deletedObjects.map(\.objectID))
        for object in context.insertedObjects.union(context.updatedObjects) {
            for link in OracleLink.all(object.entity.name) where !link.isToMany {
                guard case .object(let reference) = object[link.name], let id = reference.base as? ObjectID,
                    deleted.contains(id)
                else { continue }
                found += "\n\(object["code"]).\(link.name) leads to \(id), which is deleted"
            }
        }
        return found
    }

    func forget(_ player: WorkshopPlayer, _ gone: Set<Int>) {
        for id in gone { player.handles[id] = nil }
    }

    private func merge(
        _ other: WorkshopPlayer, _ context: ManagedObjectContext, _ dirty: Set<Int>, _ gone: Set<Int>,
        _ before: [Int: OracleObject]
    ) throws {
        context.processPendingChanges()
        other.oracle.process()
        let mine = other.oracle.inserted.union(other.oracle.touched).union(other.oracle.deleted)
        if !mine.isDisjoint(with: dirty) {
            note(other, "rollback, for others have changed \(mine.intersection(dirty).sorted())")
            context.rollback()
            other.handles = other.handles.filter { !other.oracle.inserted.contains($0.key) }
            other.oracle.rollback(to: before)
        }
        guard let saved = lastSave.withLock({ $0 }) else { throw WorkshopFailure("the save called no observer") }
        note(other, "merge \(dirty.sorted()), \(gone.sorted()) deleted")
        context.merge(saved)
        var world = store
        for id in other.oracle.inserted.union(other.oracle.touched).union(other.oracle.deleted) {
            world[id] = other.oracle.world[id]
        }
        other.oracle.world = world
        for id in gone {
            guard let object = other.handles.removeValue(forKey: id) else { continue }
            try WorkshopFailure.unless(
                object.isDeleted, "\(id), which another context deleted, is not deleted in \(other.name)")
        }
        other.ghosts.formUnion(gone)
        try checkFlags(other, context)
        if generator.once(in: 2) { try verify(other, context) }
    }

    func rollback(_ player: WorkshopPlayer, _ context: ManagedObjectContext) throws {
        note(player, "rollback")
        context.rollback()
        for (id, object) in player.handles where player.oracle.inserted.contains(id) {
            try WorkshopFailure.unless(object.context == nil, "\(id), which is no more, has a context")
        }
        player.handles = player.handles.filter { !player.oracle.inserted.contains($0.key) }
        player.oracle.rollback(to: base(of: player))
    }

    /// The objects that the player started from: those of the store, or of its parent.
    private func base(of player: WorkshopPlayer) -> [Int: OracleObject] { player.base ?? store }

    func reset(_ player: WorkshopPlayer, _ context: ManagedObjectContext) throws {
        note(player, "reset")
        context.reset()
        try WorkshopFailure.unless(player.handles.values.allSatisfy { $0.context == nil }, "an object survives a reset")
        player.handles = [:]
        player.ghosts = []
        player.oracle.rollback(to: base(of: player))
        try WorkshopFailure.unless(context.registeredObjects.isEmpty, "objects are registered after a reset")
    }

    func refresh(_ player: WorkshopPlayer, _ context: ManagedObjectContext) throws {
        let live = player.oracle.live.filter { !player.oracle.inserted.contains($0) }
        guard let id = live.randomElement(using: &generator) else { return }
        let merges = generator.once(in: 2)
        note(player, "refresh \(id)\(merges ? ", keeping changes" : "")")
        let object = try object(player, context, id)
        try context.refresh(object, mergeChanges: merges)
        if merges { return }
        player.oracle.undo(id, base(of: player))
        if let old = base(of: player)[id] { note(player, "left of it: \(player.oracle.differences(id, old))") }
        // An object that returned to its old place in an order may still count as updated.
        if !player.oracle.touched.contains(id), object.isUpdated { player.oracle.touched.insert(id) }
        let isClean = !player.oracle.touched.contains(id)
        try WorkshopFailure.unless(!isClean || object.isFault, "\(id) is no fault after it was refreshed")
    }

    func refreshAll(_ player: WorkshopPlayer, _ context: ManagedObjectContext) throws {
        note(player, "refresh all")
        try context.refreshAllObjects()
    }
}
