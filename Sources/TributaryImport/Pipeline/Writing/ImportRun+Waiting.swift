import TributaryStore
import TributaryJSON
import TributarySQLite

/// References to objects that were not there yet, at the end of a run.
extension ImportRun {
    /// Links what waits for objects that are there now, and does with the rest what the rules or the options say.
    func resolveWaiting(_ connection: Connection) throws {
        let counts = try WaitingTable.counts(on: connection)
        guard !counts.isEmpty else { return }
        let filled = Set((plan.related?.entities ?? plan.routes.map(\.entity)).map(\.root))
        (summary.dangling, summary.emptied) = (nil, nil)
        for text in counts.keys.sorted() {
            guard let name = RelationName(text), let entity = plan.stores.model[name.entity],
                let relationship = entity.relationship(named: name.relationship),
                let destination = plan.stores.model[name.destination],
                filled.contains(destination.root) || filled.contains(entity.root)
            else { continue }
            let key = name.key.compactMap { destination.attribute(named: $0) }
            guard key.count == name.key.count,
                let relation = WaitingRelation(text, relationship, to: destination, key: key, in: plan.store.schema)
            else { continue }
            let policy = plan.related?.dangling(text) ?? options.dangling
            if policy == .stub { try makeStubs(of: relation, destination, key, connection) }
            let changed = try relation.resolve(on: connection)
            if session == nil {
                resolved.append((entity, changed.owners.sorted()))
                resolved.append((destination, changed.targets.sorted()))
            }
            let rest = try relation.count(ofRun: journal.entry.run, on: connection)
            guard rest > 0 else { continue }
            summary.addDangling(name, rest, policy)
            if policy == .null { try relation.forget(run: journal.entry.run, on: connection) }
        }
    }

    /// Makes the objects that references of this run wait for, with nothing but their keys.
    private func makeStubs(
        of relation: WaitingRelation, _ destination: Entity, _ key: [AttributeProperty], _ connection: Connection
    ) throws {
        let maker = StubMaker(of: destination, key: key, for: relation, in: plan.store.schema)
        try maker.make(run: journal.entry.run, on: connection) { count in
            try plan.stores.reserve(count, destination.root, connection) - Int64(count) + 1
        } made: { outcome in
            summary.add(outcome.counts, of: destination.name)
            if session == nil { resolved.append((destination, outcome.insertedKeys)) }
        }
    }
}
