import Foundation
import TributaryGraph
import TributarySQLite
import TributaryTestSupport

/// The steps that only read, and the checks that must hold at all times.
extension WorkshopRun {
    func fetch(_ player: WorkshopPlayer, _ context: ManagedObjectContext) throws {
        let query = WorkshopQuery.random(&generator)
        let descending = generator.once(in: 2)
        var request = FetchRequest<ManagedObject>(
            entity: query.entity, where: query.filter, sort: query.sort(descending: descending))
        note(player, "fetch \(query.entity) where \(query.filter.map { "\($0)" } ?? "all")")
        // In relationships without an inverse, a parent still counts objects that it deleted but did not save.
        if player.base != nil, "\(String(describing: query.filter))".contains("pointer") { return }
        var oracle = player.oracle
        oracle.process()
        if player.base == nil, generator.once(in: 8) {
            request.includesPendingChanges = false
            let wanted = query.codes(OracleContext(store), descending: descending)
            // Objects deleted only in this context are still in the store, so the count includes them.
            let found = try context.count(request)
            try WorkshopFailure.unless(found == wanted.count, "\(found) in the store, expected \(wanted)")
            player.oracle.process()
            return
        }
        let all = query.codes(oracle, descending: descending)
        var wanted = all
        if generator.once(in: 3) {
            request.offset = generator.below(4)
            let limit = generator.below(5)
            request.limit = limit > 0 ? limit : nil
            wanted = Array(all.dropFirst(request.offset))
            if limit > 0 { wanted = Array(wanted.prefix(limit)) }
        }
        if generator.once(in: 4) { request.batchSize = 1 + generator.below(5) }
        if query.entity == "Piece", generator.once(in: 3) {
            request.prefetch = [
                generator.pick(["owner", "labels", "owner.pieces", "friends", "ranks", "pointer", "twin"])
            ]
        }
        let objects = try context.fetch(request)
        let found = try objects.map { try code($0) }
        try WorkshopFailure.unless(found == wanted, "the fetch gave \(found), expected \(wanted)")
        let count = try context.count(request)
        try WorkshopFailure.unless(count == wanted.count, "the count is \(count), expected \(wanted.count)")
        let ids = try context.ids(request)
        try WorkshopFailure.unless(
            ids == objects.map(\.objectID), "the ids are \(ids), expected \(objects.map(\.objectID))")
        player.oracle.process()
        for object in objects {
            let id = try code(object)
            if let held = player.handles[id] {
                try WorkshopFailure.unless(held === object, "there are two objects \(id)")
            } else if generator.once(in: 2) {
                player.handles[id] = object
            }
        }
    }

    func lookClosely(_ player: WorkshopPlayer, _ context: ManagedObjectContext) throws {
        guard let id = player.oracle.live.randomElement(using: &generator) else { return }
        note(player, "look at \(id)")
        try check(id, player, context)
    }

    func verify(_ player: WorkshopPlayer, _ context: ManagedObjectContext) throws {
        context.processPendingChanges()
        player.oracle.process()
        try checkFlags(player, context)
        for id in player.oracle.live.shuffled(using: &generator) { try check(id, player, context) }
        try checkFlags(player, context)
    }

    private func code(_ object: ManagedObject, in place: @autoclosure () -> String = "the result") throws -> Int {
        try WorkshopFailure.unless(object.context != nil, "an object without context stands in \(place())")
        guard case .integer(let code) = object["code"] else {
            throw WorkshopFailure("\(object.objectID) in \(place()) has no code")
        }
        return Int(code)
    }

    private func check(_ id: Int, _ player: WorkshopPlayer, _ context: ManagedObjectContext) throws {
        guard let wanted = player.oracle.world[id] else { return }
        let object = try object(player, context, id)
        try WorkshopFailure.unless(object.entity.name == wanted.entity, "\(id) is a \(object.entity.name)")
        for (name, value) in wanted.values {
            try WorkshopFailure.unless(object[name] == value, "\(id).\(name) is \(object[name]), expected \(value)")
        }
        for link in OracleLink.all(wanted.entity).shuffled(using: &generator) {
            if link.isToMany {
                let found = try object.objects(forKey: link.name).map { try code($0, in: "\(id).\(link.name)") }
                let others = player.oracle.many(id, link)
                let fits = link.isOrdered ? found == others : found.sorted() == others.sorted()
                try WorkshopFailure.unless(fits, "\(wanted.entity) \(id).\(link.name) is \(found), expected \(others)")
            } else {
                let found = try object.object(forKey: link.name).map { try code($0, in: "\(id).\(link.name)") }
                let other = player.oracle.one(id, link)
                try WorkshopFailure.unless(
                    found == other,
                    "\(wanted.entity) \(id).\(link.name) is \(found ?? 0), expected \(other ?? 0)")
            }
        }
    }

    func checkFlags(_ player: WorkshopPlayer, _ context: ManagedObjectContext) throws {
        let oracle = player.oracle
        for (id, object) in player.handles {
            try WorkshopFailure.unless(object.context === context, "\(id) has lost its context")
            let flags = (object.isInserted, object.isUpdated, object.isDeleted, object.hasChanges)
            let isDeleted = oracle.deleted.contains(id)
            let isInserted = oracle.inserted.contains(id) && !isDeleted
            let isUpdated = oracle.updated.contains(id)
            let wanted = (isInserted, isUpdated, isDeleted, isInserted || isUpdated || isDeleted)
            try WorkshopFailure.unless(
                flags == wanted,
                "(isInserted, isUpdated, isDeleted, hasChanges) of \(id) is \(flags), expected \(wanted)")
        }
        if player.ghosts.isEmpty {
            try WorkshopFailure.unless(
                context.hasChanges == oracle.hasChanges, "the context's hasChanges is \(context.hasChanges)")
        }
        try compare(context.insertedObjects, oracle.inserted.subtracting(oracle.deleted), "inserted")
        try compare(context.updatedObjects, oracle.updated, "updated")
        // The codes of objects that other contexts deleted may be unknown here.
        let deleted = Set(try context.deletedObjects.filter { !$0.isFault && $0["code"] != .null }.map { try code($0) })
        try WorkshopFailure.unless(
            deleted.isSuperset(of: oracle.deleted) && deleted.subtracting(oracle.deleted).isSubset(of: player.ghosts),
            "deleted are \(deleted.sorted()), expected \(oracle.deleted.sorted())")
    }

    private func compare(_ objects: Set<ManagedObject>, _ wanted: Set<Int>, _ kind: String) throws {
        let found = Set(try objects.map { try code($0) })
        try WorkshopFailure.unless(found == wanted, "\(kind) are \(found.sorted()), expected \(wanted.sorted())")
    }
}
