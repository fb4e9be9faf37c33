package import TributarySQLite

/// Where a one-to-one relationship is stored: in a column on each side.
package struct OneToOneStorage: Sendable {
    /// The relationship of the owners.
    package let relationship: RelationshipProperty
    private let own: LinkColumn
    private let other: LinkColumn
    /// Whether both sides are the same relationship.
    private let isSymmetric: Bool

    /// The storage of a to-one relationship whose inverse is to-one; nil for others.
    package init?(_ relationship: RelationshipProperty, in schema: Schema) {
        guard !relationship.isToMany, let inverse = relationship.inverse, !inverse.isToMany,
            let own = LinkColumn(relationship, of: relationship.entity, in: schema),
            let other = LinkColumn(inverse, of: relationship.destination, in: schema)
        else { return nil }
        (self.relationship, self.own, self.other) = (relationship, own, other)
        isSymmetric = inverse == relationship
    }

    /// A link stated by a record, from either side; without one of its ends, the other is linked to none.
    package struct Link: Sendable {
        fileprivate let owner: Int64?
        fileprivate let partner: Int64?

        package init(owner: Int64?, partner: Int64?) { (self.owner, self.partner) = (owner, partner) }
    }

    /// The objects whose links have changed.
    package struct Changes: Sendable {
        /// The owners whose rows have changed.
        package let owners: Set<Int64>
        /// The partners whose rows have changed.
        package let partners: Set<Int64>
        /// The owners that belong to a partner, and have lost it.
        package var orphanOwners: [Int64] = []
        /// The partners that belong to an owner, and have lost it.
        package var orphanPartners: [Int64] = []
    }

    /// Links objects in feed order; an object that gets another partner leaves its earlier one, and orphans are left.
    package func apply(_ links: [Link], on connection: Connection) throws -> Changes {
        guard !links.isEmpty else { return Changes(owners: [], partners: []) }
        let owners = Set(links.compactMap(\.owner))
        let partners = Set(links.compactMap(\.partner))
        if isSymmetric {
            return Changes(owners: try applySymmetric(links, owners.union(partners), on: connection), partners: [])
        }
        // An earlier partner of an object that is linked again loses its link too.
        let stored = try own.targets(of: owners, on: connection)
        let storedBack = try other.targets(of: partners.union(stored.values), on: connection)
        let allStored = try own.targets(of: owners.union(storedBack.values), on: connection)
        var (forward, back) = (allStored, storedBack)
        for link in links {
            if let owner = link.owner, let earlier = forward.removeValue(forKey: owner) { back[earlier] = nil }
            if let partner = link.partner, let earlier = back.removeValue(forKey: partner) { forward[earlier] = nil }
            guard let owner = link.owner, let partner = link.partner else { continue }
            forward[owner] = partner
            back[partner] = owner
        }
        var changes = Changes(
            owners: try own.write(forward, stored: allStored, on: connection),
            partners: try other.write(back, stored: storedBack, on: connection))
        guard let inverse = relationship.inverse else { return changes }
        // What says itself that it has no other end stays, as its record does.
        if !relationship.isOptional, inverse.deleteRule == .cascade {
            let lost = owners.union(allStored.keys).subtracting(forward.keys)
            changes.orphanOwners = lost.subtracting(links.filter { $0.partner == nil }.compactMap(\.owner)).sorted()
        }
        if !inverse.isOptional, relationship.deleteRule == .cascade {
            let lost = partners.union(storedBack.keys).subtracting(back.keys)
            changes.orphanPartners = lost.subtracting(links.filter { $0.owner == nil }.compactMap(\.partner)).sorted()
        }
        return changes
    }

    private func applySymmetric(_ links: [Link], _ keys: Set<Int64>, on connection: Connection) throws -> Set<Int64> {
        let first = try own.targets(of: keys, on: connection)
        let stored = try own.targets(of: keys.union(first.values), on: connection)
        var both = stored
        for link in links {
            for key in [link.owner, link.partner].compactMap(\.self) {
                if let earlier = both.removeValue(forKey: key) { both[earlier] = nil }
            }
            guard let owner = link.owner, let partner = link.partner else { continue }
            both[owner] = partner
            both[partner] = owner
        }
        return try own.write(both, stored: stored, on: connection)
    }

    /// The partners of objects.
    package func partners(
        of owners: Set<Int64>, isReversed: Bool, on connection: Connection
    ) throws -> [Int64: Int64] {
        try (isReversed ? other : own).targets(of: owners, on: connection)
    }
}
