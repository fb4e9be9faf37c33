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
            let columns = plan.columnNames(of: link)
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
                                    relation.name, owner: owner, position: Int(position),
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
        guard !group.waiting.ownersSetAgain.isEmpty else { return }
        var found: [(match: WaitingRelation.Match, relation: RelatedPlan.Relation)] = []
        var names: Set<String> = []
        for unit in plan.units {
            for relation in unit.relations where group.waiting.ownersSetAgain[relation.name] != nil {
                switch relation.way {
                case .pairs(link, _, _), .column(_, link?): break
                default: continue
                }
                guard names.insert(relation.name).inserted else { continue }
                found += try matches(of: relation, group, on: connection).map { ($0, relation) }
            }
        }
        for (match, relation) in found.sorted(by: { $0.match.id < $1.match.id }) {
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

    /// The references of a relation that have waited for new objects of the group.
    private func matches(
        of relation: RelatedPlan.Relation, _ group: Group, on connection: Connection
    ) throws -> [WaitingRelation.Match] {
        let target = plan.units[relation.target]
        guard
            let waiting = WaitingRelation(
                relation.name, relation.mapped.relationship, to: target.entity, key: target.mapping.key, in: schema)
        else { return [] }
        return try waiting.take(for: newKeys(of: target.entity, group), on: connection)
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
        guard !group.waiting.ownersSetAgain.isEmpty else { return }
        var names: Set<String> = []
        for unit in plan.units {
            for relation in unit.relations {
                guard case .column(_, nil) = relation.way, let setAgain = group.waiting.ownersSetAgain[relation.name],
                    names.insert(relation.name).inserted
                else { continue }
                let target = plan.units[relation.target]
                let waiting = WaitingRelation(
                    relation.name, relation.mapped.relationship, to: target.entity, key: target.mapping.key, in: schema)
                let found = try matches(of: relation, group, on: connection).filter { !setAgain.contains($0.owner) }
                try waiting?.fill(found, on: connection)
            }
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
        guard !found.orphans.isEmpty else { return }
        changes.orphans.append((relationship.destination, found.orphans))
    }

    /// Deletes the objects that have lost the owner that they need, after all links to them are written.
    func deleteOrphans(_ changes: GroupChanges, on connection: Connection) throws {
        for (entity, keys) in changes.orphans {
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
            func add(_ owner: Int64, _ other: Int64?, isReversed: Bool) {
                links.append(
                    isReversed ? .init(owner: other, partner: owner) : .init(owner: owner, partner: other))
                guard let other else { return }
                for name in plan.partnerNames(of: pair, isReversed: !isReversed) where group.waiting.contains(name) {
                    group.waiting.discardEarlier(name, other)
                }
            }
            var waiting: [(match: WaitingRelation.Match, isReversed: Bool)] = []
            for isReversed in [false, true] {
                for name in plan.partnerNames(of: pair, isReversed: isReversed) {
                    guard group.waiting.ownersSetAgain[name] != nil,
                        let relation = plan.units.flatMap(\.relations).first(where: { $0.name == name })
                    else { continue }
                    waiting += try matches(of: relation, group, on: connection).map { ($0, isReversed) }
                }
            }
            for (match, isReversed) in waiting.sorted(by: { $0.match.id < $1.match.id }) {
                add(match.owner, match.target, isReversed: isReversed)
            }
            for (chunk, share) in group.shares.enumerated() {
                for mention in share.chunk.partners[pair] {
                    guard let (relation, owner, _) = meaning(of: mention, in: chunk, group),
                        case .partner(_, let isReversed) = relation.way
                    else { continue }
                    group.waiting.discardEarlier(relation.name, owner)
                    let other = mention.others.first.map { share.chunk.others[plan.links.count + pair][Int($0)].row }
                    let key = other.map { group.key($0, in: chunk) } ?? 0
                    if let other, key == 0 {
                        let key = self.key(of: other, in: chunk, group)
                        group.waiting.add(
                            .init(relation.name, owner: owner, position: 0, key: key), isExclusive: true)
                    }
                    add(owner, key > 0 ? key : nil, isReversed: isReversed)
                    rows.append((RelatedWriter.number(mention.owner, in: chunk), owner, isReversed))
                }
            }
            let relationship = storage.relationship
            let found = try storage.apply(links, on: connection)
            let (owners, partners) = (found.owners, found.partners)
            if !found.orphanOwners.isEmpty { changes.orphans.append((relationship.entity, found.orphanOwners)) }
            if !found.orphanPartners.isEmpty {
                changes.orphans.append((relationship.destination, found.orphanPartners))
            }
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
