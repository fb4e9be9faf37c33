import TributaryStore
import TributarySQLite

/// What the seeds say about a relationship and its inverse, since the last save.
final class SeedLinks {
    /// The storage of the relationship; nil for one in a single column, or in none.
    let pairs: PairStorage?
    /// The storage of a one-to-one relationship.
    let partners: OneToOneStorage?
    private var events: [LinkEvent] = []
    private var others = LinkOthers()
    private var ones: [OneToOneStorage.Link] = []

    /// The links of a relationship or of its inverse.
    init(_ relationship: RelationshipProperty, in schema: Schema) {
        pairs = PairStorage(relationship, in: schema)
        partners = OneToOneStorage(relationship, in: schema)
    }

    /// Records that a to-many relationship of a new object has others as well, or that a to-one relationship has one.
    func add(_ others: [RowKey], to relationship: RelationshipProperty, of owner: RowKey) {
        if let pairs {
            let first = self.others.count
            for (position, other) in others.enumerated() { self.others.add(other.key, position: position) }
            events.append(
                LinkEvent(
                    owner: owner.key, isNew: true, isFromTarget: pairs.relationship != relationship,
                    action: relationship.isToMany ? .merge : .replace, others: first..<self.others.count, row: 0,
                    isWritten: false))
        } else if let partners {
            let other = others.first?.key
            let isOwner = partners.relationship == relationship
            ones.append(
                OneToOneStorage.Link(owner: isOwner ? owner.key : other, partner: isOwner ? other : owner.key))
        }
    }

    /// Writes the links; returns the keys of objects that have changed.
    func write(on connection: Connection) throws -> [(entity: Entity, keys: Set<Int64>)] {
        defer { (events, others, ones) = ([], LinkOthers(), []) }
        if let pairs {
            let changes = try LinkWriter(pairs, on: connection).apply(events, others)
            return [(pairs.relationship.entity, changes.sources), (pairs.relationship.destination, changes.targets)]
        }
        guard let partners else { return [] }
        let changes = try partners.apply(ones, on: connection)
        return [(partners.relationship.entity, changes.owners), (partners.relationship.destination, changes.partners)]
    }

    /// The number of objects that a relationship of stored objects has, for those that have any.
    func counts(
        of relationship: RelationshipProperty, _ owners: Set<Int64>, on connection: Connection
    ) throws -> [Int64: Int] {
        if let pairs {
            let areTargets = pairs.relationship != relationship
            var found = try pairs.others(of: owners, areTargets: areTargets, on: connection).mapValues(\.count)
            guard pairs.isSymmetric else { return found }
            // A pair of an object with itself has been counted.
            for (owner, others) in try pairs.others(of: owners, areTargets: true, on: connection) {
                found[owner, default: 0] += others.count { $0 != owner }
            }
            return found
        }
        let isReversed = partners?.relationship != relationship
        return try partners?.partners(of: owners, isReversed: isReversed, on: connection).mapValues { _ in 1 } ?? [:]
    }
}
