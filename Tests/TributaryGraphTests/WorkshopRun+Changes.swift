import Foundation
import TributaryGraph
import TributaryTestSupport

/// The steps that change objects.
extension WorkshopRun {
    /// The object with a code, which is retained already or fetched.
    func object(_ player: WorkshopPlayer, _ context: ManagedObjectContext, _ id: Int) throws -> ManagedObject {
        if let held = player.handles[id] { return held }
        guard let entity = player.oracle.world[id]?.entity else { throw WorkshopFailure("no \(id)") }
        let request = FetchRequest<ManagedObject>(entity: entity, where: "code == \(id)")
        let found = try context.fetch(request)
        guard let object = found.first, found.count == 1 else {
            throw WorkshopFailure("a fetch of \(entity) \(id) finds \(found.count) objects")
        }
        player.oracle.process()
        player.handles[id] = object
        return object
    }

    func insert(_ player: WorkshopPlayer, _ context: ManagedObjectContext) throws {
        guard player.oracle.world.count < 36 else { return try setAttribute(player, context) }
        let entity = generator.pick(["Piece", "Piece", "FinePiece", "Keeper", "Keeper", "Label"])
        let id = newCode()
        note(player, "insert \(entity) \(id)")
        let object = try context.insert(entity: entity)
        object["code"] = .integer(Int64(id))
        player.oracle.insert(id, entity)
        player.handles[id] = object
        if generator.once(in: 10) {
            note(player, "obtain the permanent id of \(id)")
            try context.obtainPermanentIDs(for: [object])
            try WorkshopFailure.unless(
                !object.objectID.isTemporary && object.isInserted, "the id of \(id) is temporary")
        }
    }

    private func value(_ name: String) -> FilterValue {
        if name != "flag", generator.once(in: 4) { return .null }
        let number = generator.below(10) - 2
        switch name {
        case "number", "small", "medium": return .integer(Int64(number))
        case "real", "single": return .double(Double(number) / 4)
        case "amount": return .decimal(Decimal(number) / 8)
        case "flag": return .boolean(number > 2)
        case "date": return .date(Date(timeIntervalSince1970: Double(number) * 1e8 + 0.25))
        case "blob": return .data(Data(repeating: UInt8(number + 2), count: max(0, number)))
        case "uuid": return .uuid(UUID(uuid: (UInt8(number + 2), 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)))
        case "link": return URL(string: "https://x.example/\(number)?q=%20").map { .url($0) } ?? .null
        default: return .string(generator.pick(WorkshopQuery.names))
        }
    }

    func setAttribute(_ player: WorkshopPlayer, _ context: ManagedObjectContext) throws {
        let live = player.oracle.live
        guard !live.isEmpty else { return try insert(player, context) }
        let id = generator.pick(live)
        let names = (player.oracle.world[id]?.values ?? [:]).keys.sorted()
        let name = generator.once(in: 2) ? generator.pick(names) : names.contains("number") ? "number" : "name"
        let value = value(name)
        note(player, "\(id).\(name) = \(value)")
        let object = try object(player, context, id)
        switch (object, name, value) {
        case (let piece as Piece, "number", .integer(let number)): piece.number = Int(number)
        case (let piece as Piece, "name", .string(let text)): piece.name = text
        case (let piece as Piece, "name", .null): piece.name = nil
        default: object[name] = value
        }
        player.oracle.set(id, name, value)
    }

    func relate(_ player: WorkshopPlayer, _ context: ManagedObjectContext) throws {
        let live = player.oracle.live
        guard live.count > 4, let id = live.randomElement(using: &generator),
            let link = player.oracle.links(id).randomElement(using: &generator)
        else { return try insert(player, context) }
        let choices = live.filter { link.leads(to: player.oracle.world[$0]?.entity ?? "") }
        let owner = try object(player, context, id)
        let entity = owner.entity.name
        if !link.isToMany {
            let other = generator.once(in: 4) ? nil : choices.randomElement(using: &generator)
            note(player, "\(entity) \(id).\(link.name) = \(other.map(String.init) ?? "nil")")
            WorkshopAccess.set(link.name, of: owner, to: try other.map { try object(player, context, $0) })
            player.oracle.setOne(id, link, other)
            return
        }
        guard let other = choices.randomElement(using: &generator) else { return }
        let access = WorkshopAccess.many(link.name, of: entity)
        switch generator.below(6) {
        case 0..<2:
            note(player, "\(entity) \(id).\(link.name) + \(other)")
            access.add(owner, try object(player, context, other))
            player.oracle.add(id, link, other)
        case 2:
            let there = player.oracle.many(id, link).filter { !player.oracle.deleted.contains($0) }
            let chosen = there.randomElement(using: &generator) ?? other
            note(player, "\(entity) \(id).\(link.name) - \(chosen)")
            access.remove(owner, try object(player, context, chosen))
            player.oracle.remove(id, link, chosen)
        case 3 where link.isOrdered:
            var list = player.oracle.many(id, link).filter { $0 != other }
            let place = generator.below(list.count + 1)
            note(player, "\(entity) \(id).\(link.name) + \(other) at \(place)")
            access.insert?(owner, try object(player, context, other), place)
            list.insert(other, at: place)
            player.oracle.setMany(id, link, list)
        default:
            var chosen = choices.filter { _ in generator.once(in: 3) }
            if generator.once(in: 2) { chosen = player.oracle.many(id, link) }
            chosen = chosen.filter { !player.oracle.deleted.contains($0) }.shuffled(using: &generator)
            note(player, "\(entity) \(id).\(link.name) = \(chosen)")
            owner.setObjects(try chosen.map { try object(player, context, $0) }, forKey: link.name)
            player.oracle.setMany(id, link, chosen)
        }
    }

    func delete(_ player: WorkshopPlayer, _ context: ManagedObjectContext) throws {
        let live = player.oracle.live
        guard live.count > 6, let id = live.randomElement(using: &generator) else { return try insert(player, context) }
        note(player, "delete \(player.oracle.world[id]?.entity ?? "") \(id)")
        let object = try object(player, context, id)
        object.delete()
        try WorkshopFailure.unless(object.isDeleted, "\(id) is not deleted at once")
        player.oracle.delete(id)
        context.processPendingChanges()
        player.oracle.process()
        player.handles = player.handles.filter { player.oracle.world[$0.key] != nil }
    }

    func dropHandles(_ player: WorkshopPlayer) throws {
        note(player, "let objects go")
        for id in player.handles.keys.sorted() where generator.once(in: 2) { player.handles[id] = nil }
    }
}
