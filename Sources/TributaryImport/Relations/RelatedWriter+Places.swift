import TributaryStore
import TributarySQLite

/// Finding the objects without a key, which are known by their owners and their positions there.
extension RelatedWriter {
    private struct Place: Hashable {
        let owner: Int64
        let position: Int
    }

    /// The objects of a unit without a key, as far as they were found.
    private struct Places {
        var known: [Place: Int64] = [:]
        /// For each owner the number of its objects.
        var counts: [Int64: Int] = [:]
        var new = Set<Int64>()
        /// For each chunk and row the primary key; 0 until the place is known.
        var keys: [[Int64]]
    }

    /// Rows of an owner in a mention, or nothing if the relation is cleared.
    private struct Listing {
        let unit: Int
        let chunk: Int
        let owner: RelatedChunk.RowID
        let rows: [Int]
        /// Whether further objects of the owner are unlinked.
        let replaces: Bool
    }

    /// Finds all objects without a key, level by level from the outside: the owner of an object may have no key either.
    func resolvePlaces(_ group: inout Group, on connection: Connection) throws {
        var places: [Int: Places] = [:]
        for unit in plan.units.indices where plan.units[unit].parent != nil {
            guard group.shares.contains(where: { $0.chunk.units[unit].batch.count > 0 }) else { continue }
            places[unit] = Places(keys: group.resolved[unit].keys)
        }
        func owner(_ listing: Listing) -> Int64 {
            guard !group.refused.contains(ObjectPlace(listing.chunk, listing.owner)) else { return 0 }
            let (unit, row) = (Int(listing.owner.unit), Int(listing.owner.row))
            if plan.units[unit].parent != nil { return places[unit]?.keys[listing.chunk][row] ?? 0 }
            let applies = group.resolved[unit].applies(listing.chunk, row)
            return applies ? group.resolved[unit].keys[listing.chunk][row] : 0
        }
        var open = places.keys.sorted().flatMap { listings(of: $0, group) }
        while !open.isEmpty {
            let owners = open.map(owner)
            let ready = open.indices.filter { owners[$0] > 0 }
            // What is left belongs to objects that are not written.
            guard !ready.isEmpty else { break }
            for (unit, found) in Dictionary(grouping: ready, by: { open[$0].unit }) {
                let listed = found.map { (listing: open[$0], owner: owners[$0]) }
                try place(listed, of: unit, &places[unit, default: Places(keys: [])], group, on: connection)
            }
            open = open.indices.filter { owners[$0] <= 0 }.map { open[$0] }
        }
        for (unit, found) in places {
            let resolved = group.resolved[unit]
            group.resolved[unit] = writers[unit].resolve(
                resolved.batches, firstKeys: resolved.firstKeys, keys: found.keys, new: found.new)
        }
    }

    /// Gives the rows of some listings, in feed order, the primary keys of their places.
    private func place(
        _ listings: [(listing: Listing, owner: Int64)], of unit: Int, _ places: inout Places, _ group: Group,
        on connection: Connection
    ) throws {
        let unread = Set(listings.map(\.owner)).subtracting(places.counts.keys)
        for (owner, others) in try others(of: unread, unit, on: connection) {
            places.counts[owner] = others.count
            for (position, other) in others.enumerated() {
                places.known[Place(owner: owner, position: position)] = other
            }
        }
        for (listing, owner) in listings {
            let batch = group.resolved[unit].batches[listing.chunk]
            var count = 0
            for row in listing.rows
            where !group.refused.contains(ObjectPlace(listing.chunk, unit: unit, row: row)) {
                let place = Place(owner: owner, position: count)
                if let key = places.known[place] {
                    places.keys[listing.chunk][row] = key
                } else if mode != .update, writers[unit].isComplete(batch, row) {
                    let first = group.shares[listing.chunk].firsts[plan.units[unit].table]
                    let key = first + Int64(batch.entries[row].ordinal)
                    places.known[place] = key
                    places.new.insert(key)
                    places.keys[listing.chunk][row] = key
                } else {
                    continue
                }
                count += 1
            }
            let earlier = places.counts[owner] ?? 0
            if listing.replaces, count < earlier {
                for position in count..<earlier { places.known[Place(owner: owner, position: position)] = nil }
            }
            places.counts[owner] = listing.replaces ? count : max(count, earlier)
        }
    }

    /// What owners say about the objects of a unit without a key, in feed order.
    private func listings(of unit: Int, _ group: Group) -> [Listing] {
        var listings: [Listing] = []
        for (chunk, share) in group.shares.enumerated() {
            for (index, owner) in plan.units.enumerated() {
                for (number, relation) in owner.relations.enumerated() where relation.target == unit {
                    guard let list = relation.list else { continue }
                    let isColumn = if case .column = relation.way { true } else { false }
                    let others = share.chunk.others[list]
                    for mention in share.chunk.mentions[list]
                    where Int(mention.owner.unit) == index && Int(mention.relation) == number {
                        listings.append(
                            Listing(
                                unit: unit, chunk: chunk, owner: mention.owner,
                                rows: mention.others.map { Int(others[Int($0)].row.row) },
                                replaces: isColumn || mention.action == .replace))
                    }
                }
            }
        }
        return listings
    }

    /// The objects of owners that have no key, in their order.
    private func others(of owners: Set<Int64>, _ unit: Int, on connection: Connection) throws -> [Int64: [Int64]] {
        guard !owners.isEmpty, let parent = plan.units[unit].parent else { return [:] }
        for owner in plan.units {
            let relation = owner.relations.first {
                $0.mapped.name == parent.relation && $0.relationship.entity.name == parent.entity
            }
            guard let relation else { continue }
            switch relation.way {
            case .pairs(let link, let isFromTarget, _):
                return try plan.links[link].others(of: owners, areTargets: isFromTarget, on: connection)
            case .column:
                let column = LinkColumn(relation.mapped.relationship, of: owner.entity, in: schema)
                return try column?.targets(of: owners, on: connection).mapValues { [$0] } ?? [:]
            case .partner(let pair, let isReversed):
                return try plan.partners[pair].partners(of: owners, isReversed: isReversed, on: connection)
                    .mapValues { [$0] }
            }
        }
        return [:]
    }
}
