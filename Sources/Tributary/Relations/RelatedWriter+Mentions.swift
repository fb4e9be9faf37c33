import TributaryGraph
import TributarySQLite

/// Writing the links that are not in a column of the row of their owner alone.
extension RelatedWriter {
    /// What the links of a group have changed.
    struct GroupChanges {
        /// The rows of owners with changed links.
        private var rows: Set<Int> = []
        /// For each unit the primary keys of rows with changed links.
        fileprivate(set) var keys: [Int: Set<Int64>] = [:]

        fileprivate mutating func add(_ row: Int) { rows.insert(row) }

        /// Whether the links of a row have changed.
        func contains(_ id: RelatedChunk.RowID, in chunk: Int) -> Bool {
            !rows.isEmpty && rows.contains(RelatedWriter.number(id, in: chunk))
        }
    }

    /// A number for a row of a group.
    private static func number(_ id: RelatedChunk.RowID, in chunk: Int) -> Int {
        (chunk << 12 | Int(id.unit)) << 32 | Int(id.row)
    }

    /// Writes the pairs of all links.
    func writeMentions(_ group: inout Group, on connection: Connection) throws -> GroupChanges {
        var changes = GroupChanges()
        for (link, storage) in plan.links.enumerated() {
            // The columns of rows say the same as mentions, unless objects list others.
            let isListed = group.shares.contains { share in
                share.chunk.mentions[link].contains { isList($0) }
            }
            var events: [LinkEvent] = []
            var others = LinkOthers()
            for (chunk, share) in group.shares.enumerated() {
                for mention in share.chunk.mentions[link] {
                    guard isListed || storage.isOrdered && !isList(mention) else { continue }
                    guard group.isWritten(mention.owner, in: chunk) else { continue }
                    let relation = plan.units[Int(mention.owner.unit)].relations[Int(mention.relation)]
                    let isNew = group.resolved[Int(mention.owner.unit)].outcomes[chunk][Int(mention.owner.row)] == .inserted
                    if relation.mapped.policy == .program, !isNew { continue }
                    let first = others.count
                    let owner = group.key(mention.owner, in: chunk)
                    if isList(mention), mention.action == .replace { group.waiting.settle(relation.name, owner) }
                    for index in mention.others {
                        let (row, position) = share.chunk.others[link][Int(index)]
                        let key = group.key(row, in: chunk)
                        if key > 0 {
                            others.add(key, position: Int(position))
                        } else if isList(mention) {
                            group.waiting.add(
                                relation.name, owner, .init(position: Int(position), chunk: chunk, target: row))
                        }
                    }
                    events.append(
                        LinkEvent(
                            owner: owner, isNew: isNew,
                            isFromTarget: storage.relationship != relation.mapped.relationship, action: mention.action,
                            others: first..<others.count, row: RelatedWriter.number(mention.owner, in: chunk),
                            isWritten: mention.isWritten))
                }
            }
            let found = try LinkWriter(storage, on: connection).apply(events, others)
            for row in found.rows { changes.add(row) }
            try add(found, of: storage, to: &changes, on: connection)
        }
        return changes
    }

    /// Whether an object lists others, and not its row has a column for one.
    private func isList(_ mention: RelatedChunk.Mention) -> Bool {
        plan.units[Int(mention.owner.unit)].relations[Int(mention.relation)].mapped.relationship.isToMany
    }

    /// Notes the changed objects, and deletes those that cannot be without their owner.
    private func add(
        _ found: LinkChanges, of storage: PairStorage, to changes: inout GroupChanges, on connection: Connection
    ) throws {
        let relationship = storage.relationship
        for (index, unit) in plan.units.enumerated() {
            if unit.entity.isKind(of: relationship.entity), !storage.isColumn {
                changes.keys[index, default: []].formUnion(found.sources)
            }
            if unit.entity.isKind(of: relationship.destination) {
                changes.keys[index, default: []].formUnion(found.targets)
            }
        }
        guard !found.orphans.isEmpty else { return }
        try OrphanDeletion.delete(found.orphans, of: relationship.destination, schema, on: connection)
    }

    /// Writes one-to-one relationships.
    func writePartners(
        _ group: inout Group, _ changes: inout GroupChanges, on connection: Connection
    ) throws {
        for (pair, storage) in plan.partners.enumerated() {
            var links: [(owner: Int64, partner: Int64?)] = []
            var rows: [(row: Int, owner: Int64)] = []
            var relationship: RelationshipProperty?
            for (chunk, share) in group.shares.enumerated() {
                for mention in share.chunk.partners[pair] where group.isWritten(mention.owner, in: chunk) {
                    let relation = plan.units[Int(mention.owner.unit)].relations[Int(mention.relation)]
                    let isNew =
                        group.resolved[Int(mention.owner.unit)].outcomes[chunk][Int(mention.owner.row)] == .inserted
                    if relation.mapped.policy == .program, !isNew { continue }
                    relationship = relation.mapped.relationship
                    let owner = group.key(mention.owner, in: chunk)
                    group.waiting.settle(relation.name, owner)
                    let other = mention.others.first.map { share.chunk.others[plan.links.count + pair][Int($0)].row }
                    let key = other.map { group.key($0, in: chunk) } ?? 0
                    if let other, key == 0 {
                        group.waiting.add(relation.name, owner, .init(position: 0, chunk: chunk, target: other))
                    }
                    links.append((owner, key > 0 ? key : nil))
                    rows.append((RelatedWriter.number(mention.owner, in: chunk), owner))
                }
            }
            let (owners, partners) = try storage.apply(links, on: connection)
            for (row, owner) in rows where owners.contains(owner) { changes.add(row) }
            guard let relationship else { continue }
            for (index, unit) in plan.units.enumerated() {
                if unit.entity.isKind(of: relationship.entity) { changes.keys[index, default: []].formUnion(owners) }
                if unit.entity.isKind(of: relationship.destination) {
                    changes.keys[index, default: []].formUnion(partners)
                }
            }
        }
    }
}
