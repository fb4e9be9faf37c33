import TributaryGraph

/// Changes relationships of the random tests through the typed properties of their classes.
struct WorkshopAccess {
    let add: (ManagedObject, ManagedObject) -> Void
    let remove: (ManagedObject, ManagedObject) -> Void
    let insert: ((ManagedObject, ManagedObject, Int) -> Void)?

    private init<Owner: ManagedObject, Other: ManagedObject>(_ path: ReferenceWritableKeyPath<Owner, ToMany<Other>>) {
        add = { owner, other in
            if let owner = owner as? Owner, let other = other as? Other { owner[keyPath: path].insert(other) }
        }
        remove = { owner, other in
            if let owner = owner as? Owner, let other = other as? Other { owner[keyPath: path].remove(other) }
        }
        insert = nil
    }

    private init<Owner: ManagedObject, Other: ManagedObject>(
        _ path: ReferenceWritableKeyPath<Owner, OrderedToMany<Other>>
    ) {
        add = { owner, other in
            if let owner = owner as? Owner, let other = other as? Other { owner[keyPath: path].append(other) }
        }
        remove = { owner, other in
            if let owner = owner as? Owner, let other = other as? Other { owner[keyPath: path].remove(other) }
        }
        insert = { owner, other, place in
            if let owner = owner as? Owner, let other = other as? Other {
                owner[keyPath: path].insert(other, at: place)
            }
        }
    }

    /// The access to a to-many relationship.
    static func many(_ name: String, of entity: String) -> WorkshopAccess {
        switch (entity, name) {
        case ("Keeper", "pieces"): WorkshopAccess(\Keeper.pieces)
        case ("Keeper", "queue"): WorkshopAccess(\Keeper.queue)
        case ("Keeper", "ward"): WorkshopAccess(\Keeper.ward)
        case ("Keeper", "offspring"): WorkshopAccess(\Keeper.offspring)
        case ("Keeper", "below"): WorkshopAccess(\Keeper.below)
        case ("Label", "pieces"): WorkshopAccess(\Label.pieces)
        case ("Label", "ranked"): WorkshopAccess(\Label.ranked)
        case (_, "labels"): WorkshopAccess(\Piece.labels)
        case (_, "ranks"): WorkshopAccess(\Piece.ranks)
        case (_, "friends"): WorkshopAccess(\Piece.friends)
        case (_, "pointers"): WorkshopAccess(\Piece.pointers)
        default: preconditionFailure("\(entity) has no \(name) to many")
        }
    }

    static func set(_ name: String, of owner: ManagedObject, to other: ManagedObject?) {
        switch (owner, name) {
        case (let piece as Piece, "owner"): piece.owner = other as? Keeper
        case (let piece as Piece, "holder"): piece.holder = other as? Keeper
        case (let piece as Piece, "warden"): piece.warden = other as? Keeper
        case (let piece as Piece, "pointer"): piece.pointer = other as? Label
        case (let keeper as Keeper, "above"): keeper.above = other as? Keeper
        default: owner.setObject(other, forKey: name)
        }
    }
}
