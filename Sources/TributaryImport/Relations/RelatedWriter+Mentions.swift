import TributaryStore
import TributarySQLite

/// Writing the links that are not in a column of the row of their owner alone.
extension RelatedWriter {
    /// What the links of a group have changed.
    struct GroupChanges {
        /// The rows of owners with changed links.
        private var rows: Set<Int> = []
        /// For each unit the primary keys of rows with changed links.
        fileprivate(set) var keys: [Int: Set<Int64>] = [:]
        /// Objects that have lost the owner that they need.
        fileprivate var orphans: [(entity: Entity, keys: [Int64])] = []

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
            var events = Events()
            try addReferences(to: link, storage, &events, group, on: connection)
            // The columns of rows say the same as mentions, unless objects list others.
            let isListed =
                !events.list.isEmpty
                || group.shares.contains { share in share.chunk.mentions[link].contains { isList($0) } }
            let columns = plan.names { if case .column(_, link?) = $0 { true } else { false } }
            for (chunk, share) in group.shares.enumerated() {
                for mention in share.chunk.mentions[link] {
                    guard let (relation, owner, isNew) = meaning(of: mention, in: chunk, group) else { continue }
                    if mention.action == .replace || !isList(mention) {
                        group.waiting.discardEarlier(relation.name, owner)
                    }
                    let first = events.others.count
                    var missing: Set<RelatedChunk.RowID> = []
                    for index in mention.others {
                        let (row, position) = share.chunk.others[link][Int(index)]
                        let key = group.key(row, in: chunk)
                        guard key > 0 else {
                            // Of an object that is listed twice the first position counts.
                            guard missing.insert(row).inserted else { continue }
                            group.waiting.add(
                                .init(
                                    relation: relation.name, owner: owner, position: Int(position),
                                    key: self.key(of: row, in: chunk, group)),
                                isExclusive: storage.isColumn && isList(mention))
                            continue
                        }
                        events.others.add(key, position: Int(position))
                        // An object that is listed by another owner waits for none.
                        if storage.isColumn, isList(mention) {
                            for name in columns where group.waiting.contains(name) {
                                group.waiting.discardEarlier(name, key)
                            }
                        }
                    }
                    guard isListed || storage.isOrdered else { continue }
                    events.list.append(
                        LinkEvent(
                            owner: owner, isNew: isNew,
                            isFromTarget: storage.relationship != relation.mapped.relationship, action: mention.action,
                            others: first..<events.others.count, row: RelatedWriter.number(mention.owner, in: chunk),
                            isWritten: mention.isWritten && mode != .insert && mode != .ignore))
                }
            }
            let found = try LinkWriter(storage, on: connection).apply(events.list, events.others)
            for row in found.rows where row >= 0 { changes.add(row) }
            add(found, of: storage, to: &changes)
        }
        return changes
    }

    /// The relation and the owner of a mention, and whether the owner is new; nil if the mention does not count.
    private func meaning(
        of mention: RelatedChunk.Mention, in chunk: Int, _ group: Group
    ) -> (relation: RelatedPlan.Relation, owner: Int64, isNew: Bool)? {
        let (unit, row) = (Int(mention.owner.unit), Int(mention.owner.row))
        guard group.applies(mention.owner, in: chunk) else { return nil }
        let relation = plan.units[unit].relations[Int(mention.relation)]
        let isNew = group.resolved[unit].outcomes[chunk][row] == .inserted
        guard isNew || relation.mapped.policy != .program else { return nil }
        return (relation, group.resolved[unit].keys[chunk][row], isNew)
    }

    /// Events of a link, and the objects that they name.
    private struct Events {
        var list: [LinkEvent] = []
        var others = LinkOthers()
    }

    /// Adds references that have waited for objects of the group: they were made before it.
    private func addReferences(
        to link: Int, _ storage: PairStorage, _ events: inout Events, _ group: Group, on connection: Connection
    ) throws {
        let found = try matches(group, on: connection) { way in
            switch way {
            case .pairs(link, _, _), .column(_, link?): true
            default: false
            }
        }
        for (match, relation) in inOrder(found) {
            let first = events.others.count
            events.others.add(match.target, position: Int(match.position))
            events.list.append(
                LinkEvent(
                    owner: match.owner, isNew: false,
                    isFromTarget: storage.relationship != relation.mapped.relationship,
                    action: relation.mapped.isToOne ? .replace : .place, others: first..<events.others.count, row: -1,
                    isWritten: false))
        }
    }

    /// References of a relation that have waited for new objects.
    private typealias Matches = (
        relation: RelatedPlan.Relation, waiting: WaitingRelation, matches: [WaitingRelation.Match]
    )

    /// The references of relations that have waited, in the order in which they were made.
    private func inOrder(_ found: [Matches]) -> [(WaitingRelation.Match, RelatedPlan.Relation)] {
        found.flatMap { found in found.matches.map { ($0, found.relation) } }.sorted { $0.0.id < $1.0.id }
    }

    /// The references that have waited for new objects of the group, for each relation that is written in some ways.
    private func matches(
        _ group: Group, on connection: Connection, where isWanted: (RelatedPlan.Way) -> Bool
    ) throws -> [Matches] {
        var found: [Matches] = []
        var names: Set<String> = []
        for relation in plan.units.lazy.flatMap(\.relations)
        where group.waiting.ownersSetAgain[relation.name] != nil && isWanted(relation.way) {
            let target = plan.units[relation.target]
            guard names.insert(relation.name).inserted,
                let waiting = WaitingRelation(
                    relation.name, relation.mapped.relationship, to: target.entity, key: target.mapping.key, in: schema)
            else { continue }
            let matches = try waiting.take(for: newKeys(of: target.entity, group), on: connection)
            found.append((relation, waiting, matches))
        }
        return found
    }

    /// The primary keys of the new objects of an entity, in order.
    private func newKeys(of entity: Entity, _ group: Group) -> [Int64] {
        var keys: Set<Int64> = []
        for (index, unit) in plan.units.enumerated() where unit.entity.isKind(of: entity) {
            for (chunk, outcomes) in group.resolved[index].outcomes.enumerated() {
                for (row, outcome) in outcomes.enumerated() where outcome == .inserted {
                    keys.insert(group.resolved[index].keys[chunk][row])
                }
            }
        }
        return keys.sorted()
    }

    /// Sets the columns of references that have waited for objects of the group, and that nothing else concerns.
    func resolveColumns(_ group: inout Group, on connection: Connection) throws {
        let found = try matches(group, on: connection) { if case .column(_, nil) = $0 { true } else { false } }
        for (relation, waiting, matches) in found {
            let setAgain = group.waiting.ownersSetAgain[relation.name] ?? []
            try waiting.fill(matches.filter { !setAgain.contains($0.owner) }, on: connection)
        }
    }

    /// Whether an object lists others, and not its row has a column for one.
    private func isList(_ mention: RelatedChunk.Mention) -> Bool {
        plan.units[Int(mention.owner.unit)].relations[Int(mention.relation)].mapped.relationship.isToMany
    }

    /// Notes the changed objects, and those that cannot be without the owner that they have lost.
    private func add(_ found: LinkChanges, of storage: PairStorage, to changes: inout GroupChanges) {
        let relationship = storage.relationship
        for (index, unit) in plan.units.enumerated() {
            if unit.entity.isKind(of: relationship.entity), !storage.isColumn {
                changes.keys[index, default: []].formUnion(found.sources)
            }
            if unit.entity.isKind(of: relationship.destination) {
                changes.keys[index, default: []].formUnion(found.targets)
            }
        }
        changes.orphans.append((relationship.destination, found.orphans))
    }

    /// Deletes the objects that have lost the owner that they need, after all links to them are written.
    func deleteOrphans(_ changes: GroupChanges, on connection: Connection) throws {
        for (entity, keys) in changes.orphans where !keys.isEmpty {
            try BatchDeletion.delete(keys, of: entity, schema, on: connection)
        }
    }

    /// Writes one-to-one relationships.
    func writePartners(
        _ group: inout Group, _ changes: inout GroupChanges, on connection: Connection
    ) throws {
        for (pair, storage) in plan.partners.enumerated() {
            var links: [OneToOneStorage.Link] = []
            var rows: [(row: Int, owner: Int64, isReversed: Bool)] = []
            let names = [false, true].map { isReversed in
                plan.names { if case .partner(pair, isReversed) = $0 { true } else { false } }
            }
            func add(_ owner: Int64, _ other: Int64?, isReversed: Bool) {
                links.append(
                    isReversed ? .init(owner: other, partner: owner) : .init(owner: owner, partner: other))
                guard let other else { return }
                for name in names[isReversed ? 0 : 1] where group.waiting.contains(name) {
                    group.waiting.discardEarlier(name, other)
                }
            }
            let found = try matches(group, on: connection) { if case .partner(pair, _) = $0 { true } else { false } }
            for (match, relation) in inOrder(found) {
                add(match.owner, match.target, isReversed: names[1].contains(relation.name))
            }
            let list = plan.links.count + pair
            for (chunk, share) in group.shares.enumerated() {
                for mention in share.chunk.mentions[list] {
                    guard let (relation, owner, _) = meaning(of: mention, in: chunk, group),
                        case .partner(_, let isReversed) = relation.way
                    else { continue }
                    group.waiting.discardEarlier(relation.name, owner)
                    let other = mention.others.first.map { share.chunk.others[list][Int($0)].row }
                    let key = other.map { group.key($0, in: chunk) } ?? 0
                    if let other, key == 0 {
                        let key = self.key(of: other, in: chunk, group)
                        group.waiting.add(
                            .init(relation: relation.name, owner: owner, position: 0, key: key), isExclusive: true)
                    }
                    add(owner, key > 0 ? key : nil, isReversed: isReversed)
                    rows.append((RelatedWriter.number(mention.owner, in: chunk), owner, isReversed))
                }
            }
            let relationship = storage.relationship
            let changed = try storage.apply(links, on: connection)
            let (owners, partners) = (changed.owners, changed.partners)
            changes.orphans.append((relationship.entity, changed.orphanOwners))
            changes.orphans.append((relationship.destination, changed.orphanPartners))
            for (row, owner, isReversed) in rows {
                if (isReversed && relationship.inverse != relationship ? partners : owners).contains(owner) {
                    changes.add(row)
                }
            }
            for (index, unit) in plan.units.enumerated() {
                if unit.entity.isKind(of: relationship.entity) { changes.keys[index, default: []].formUnion(owners) }
                if unit.entity.isKind(of: relationship.destination) {
                    changes.keys[index, default: []].formUnion(partners)
                }
            }
        }
    }
}
