import TributaryImport
import TributaryStore
import TributarySQLite

/// Loads the rows that a `RelatedWriter` reads when it writes some chunks.
struct RelatedReach {
    private let plan: RelatedPlan
    private let mirror: RelationMirror
    private let chunks: [RelatedChunk]
    /// For each unit and chunk the primary keys of its rows; 0 for those that are not there.
    private var keys: [[[Int64]]] = []
    /// For each unit the values of its rows in each column.
    private var values: [[Set<SQLValue>]] = []
    /// What owners say, as far as its pairs are not loaded yet.
    private var open: [Saying] = []
    /// For each unit without a key the objects that were found by their owners: each is replaced as a whole.
    private var placed: [Int: Set<Int64>] = [:]

    /// What objects of a unit say about a relation.
    private struct Saying {
        let unit: Int
        let relation: Int
        var owners: Set<Int64> = []
        var others: Set<Int64> = []
    }

    init(_ plan: RelatedPlan, _ chunks: [RelatedChunk], into mirror: RelationMirror) {
        (self.plan, self.chunks, self.mirror) = (plan, chunks, mirror)
    }

    mutating func load() throws {
        for unit in plan.units.indices { try loadRows(of: unit) }
        collectSayings()
        try loadPairs()
        try loadWaiting()
        for pair in plan.partners { try mirror.loadPartners(pair.relationship) }
        for entity in dependents { try mirror.loadSurroundings(of: entity) }
        for unit in plan.units.indices { try loadRivals(of: unit) }
    }

    // MARK: Keys

    private mutating func loadRows(of number: Int) throws {
        let rows = plan.units[number].rows
        let cells = UnsafeMutableBufferPointer<SQLCell>.allocate(capacity: rows.columns.count)
        defer { cells.deallocate() }
        var known: [[SQLValue]: Int64] = [:]
        var values = rows.columns.map { Set([$0.defaultValue]) }
        let read = chunks.map { chunk -> [[SQLValue]] in
            let batch = chunk.units[number].batch
            return batch.entries.indices.map { row in
                batch.read(row, into: cells)
                for column in rows.columns.indices where cells[column].kind != .absent {
                    values[column].insert(cells[column].value)
                }
                return rows.key.map { cells[$0].value }
            }
        }
        self.values.append(values)
        if !rows.key.isEmpty {
            let names = rows.key.map { rows.columns[$0].name }
            let entity = plan.units[number].entity
            let table = mirror.table(entity.name)
            try table.load(names, Set(read.joined()))
            let places = names.compactMap { name in table.outline.columns.firstIndex { $0.name == name } }
            for row in table.loaded.values {
                if case .integer(let key) = row[0] { known[places.map { row[$0] }] = key }
            }
        }
        keys.append(read.map { $0.map { known[$0] ?? 0 } })
    }

    // MARK: Pairs

    private mutating func collectSayings() {
        var found: [[Saying]] = plan.units.indices.map { unit in
            plan.units[unit].relations.indices.map { Saying(unit: unit, relation: $0) }
        }
        for (number, chunk) in chunks.enumerated() {
            func key(_ row: RelatedChunk.RowID) -> Int64 { keys[Int(row.unit)][number][Int(row.row)] }
            for (list, others) in zip(chunk.mentions, chunk.others) {
                for mention in list {
                    let (unit, relation) = (Int(mention.owner.unit), Int(mention.relation))
                    found[unit][relation].owners.insert(key(mention.owner))
                    for other in mention.others { found[unit][relation].others.insert(key(others[Int(other)].row)) }
                }
            }
        }
        open = found.flatMap(\.self)
    }

    private mutating func loadPairs() throws {
        while let saying = open.popLast() {
            let relation = plan.units[saying.unit].relations[saying.relation]
            guard !saying.owners.isEmpty else { continue }
            let relationship = relation.relationship
            let storage: PairStorage? =
                switch relation.way {
                case .pairs(let link, _, _), .column(_, let link?): plan.links[link]
                case .column(_, nil), .partner: nil
                }
            func load(_ others: Set<Int64>) throws {
                if let storage { try mirror.loadPairs(storage, relationship, of: saying.owners, others: others) }
            }
            try load(saying.others)
            guard plan.units[relation.target].parent != nil else { continue }
            let found: Set<Int64>
            if let storage, relationship.isToMany {
                found = Set(
                    try storage.others(
                        of: saying.owners, areTargets: storage.relationship != relationship, on: mirror.memory
                    ).values.joined())
            } else {
                let column = LinkColumn(relationship, of: relationship.entity, in: mirror.schema)
                found = Set(try column?.targets(of: saying.owners, on: mirror.memory).values.map(\.self) ?? [])
            }
            try mirror.table(relationship.destination.name).load(where: "_pk", in: found)
            try load(found)
            // They may have objects without a key as well.
            let new = found.subtracting(placed[relation.target] ?? [])
            placed[relation.target, default: []].formUnion(new)
            for index in plan.units[relation.target].relations.indices {
                open.append(Saying(unit: relation.target, relation: index, owners: new))
            }
        }
    }

    // MARK: References

    /// Loads the references that owners have, and those to objects of the chunks, with their owners.
    private mutating func loadWaiting() throws {
        var places: [String: (unit: Int, relation: Int)] = [:]
        for (number, unit) in plan.units.enumerated() {
            for (index, relation) in unit.relations.enumerated() { places[relation.name] = (number, index) }
        }
        var owners: [(relation: String, owner: Int64)] = []
        var firsts: [(relation: String, first: SQLValue)] = []
        for (name, place) in places {
            let relation = plan.units[place.unit].relations[place.relation]
            owners += mirror.table(relation.relationship.entity.name).keys.map { (name, $0) }
            let target = plan.units[relation.target]
            guard let first = target.rows.key.first.map({ target.rows.columns[$0].name }) else { continue }
            for (number, unit) in plan.units.enumerated() where unit.entity == target.entity {
                guard let column = unit.rows.columns.firstIndex(where: { $0.name == first }) else { continue }
                firsts += values[number][column].filter { $0 != .null }.map { (name, $0) }
            }
        }
        let found = try mirror.waiting.load(owners) + mirror.waiting.load(firsts)
        for (name, references) in Dictionary(grouping: found, by: \.relation) {
            guard let place = places[name] else { continue }
            let keys = Set(references.map(\.owner))
            let entity = plan.units[place.unit].relations[place.relation].relationship.entity
            try mirror.table(entity.name).load(where: "_pk", in: keys)
            open.append(Saying(unit: place.unit, relation: place.relation, owners: keys))
        }
        try loadPairs()
    }

    // MARK: Other rows

    /// The entities whose objects may be deleted, as they cannot be without an owner.
    private var dependents: Set<Entity> {
        var found = Set(plan.links.filter(\.needsSource).map(\.relationship.destination))
        for relationship in plan.partners.map(\.relationship) {
            guard let inverse = relationship.inverse else { continue }
            if !relationship.isOptional, inverse.deleteRule == .cascade { found.insert(relationship.entity) }
            if !inverse.isOptional, relationship.deleteRule == .cascade { found.insert(relationship.destination) }
        }
        return found
    }

    /// Loads rows that may have the values of a uniqueness constraint besides the key.
    private func loadRivals(of number: Int) throws {
        let unit = plan.units[number]
        let table = mirror.table(unit.entity.name)
        let key = Set(unit.rows.key.map { unit.rows.columns[$0].name })
        for constraint in table.outline.constraints where Set(constraint) != key {
            let among = constraint.map { name -> (column: String, values: Set<SQLValue>) in
                let place = table.outline.columns.firstIndex { $0.name == name } ?? 0
                var found = Set(table.loaded.values.map { $0[place] })
                if case .link(let other) = table.outline.columns[place].meaning {
                    found.formUnion(mirror.table(other).keys.map(SQLValue.integer))
                } else if let column = unit.rows.columns.firstIndex(where: { $0.name == name }) {
                    found.formUnion(values[number][column])
                }
                return (name, found.subtracting([.null]))
            }
            try table.load(among: among)
        }
    }
}
