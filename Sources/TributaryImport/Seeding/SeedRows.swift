package import TributaryStore
package import TributarySQLite

/// Makes the objects of seeds as rows of a store, without a context.
///
/// New rows are kept as values until the next save, with their to-one relationships as far as these have a column. Other
/// links are written after the rows, in the order of the seed.
package final class SeedRows: SeedGround {
    /// The table of an entity, and what its objects begin with.
    private struct Kind {
        let table: BulkTable
        /// The slots of the columns.
        let slots: [Int]
        /// The default values by slot.
        let defaults: [SQLValue]
        let bounds: [AttributeBounds]
        /// Computes the derived attributes, after the other ones and all links are written.
        let derivation: RowDerivation?

        init(_ entity: Entity, in schema: Schema) throws {
            let table = BulkTable(
                entity, links: entity.relationships.filter { !$0.isToMany },
                attributes: entity.attributes.filter { $0.declaration.derivation == nil }, key: [], schema: schema)
            self.table = table
            slots = table.columns.compactMap { entity[$0.attributeName]?.slot }
            defaults = entity.properties.map { property in
                property.attribute.flatMap { $0.declaration.defaultValue?.stored(as: $0.type) } ?? .null
            }
            bounds = entity.attributes.compactMap(AttributeBounds.init)
            do {
                derivation = try RowDerivation(of: entity, in: schema)
            } catch {
                throw SeedError(
                    .stores, "a derived attribute of \(entity.name) cannot be computed for rows: \(error)",
                    hint: "seed a context and save it")
            }
        }
    }

    package let numbers: UniqueIDGenerator
    package var model: Model { stores.model }
    private let stores: any StoreSet
    private let connection: Connection
    private let compiler: FetchCompiler
    /// The kinds of all objects so far.
    private var kinds: [Entity: Kind] = [:]
    /// The key of the latest row of each root entity.
    private var lastKeys: [Entity: Int64] = [:]
    /// The new rows, with their values by slot.
    private var rows: [(id: RowKey, values: [SQLValue])] = []
    private var indexes: [RowKey: Int] = [:]
    /// The numbers that texts of new rows have.
    private var numbersInTexts: Set<String> = []
    /// The links of each relationship or of its inverse.
    private var links: [RelationshipProperty: SeedLinks] = [:]
    /// The saved objects that links name.
    private var linked: Set<RowKey> = []

    /// Makes rows of the first store of a set.
    package init(_ stores: any StoreSet, on connection: Connection) {
        (self.stores, self.connection) = (stores, connection)
        compiler = FetchCompiler(schema: stores.stores[0].schema, model: stores.model)
        numbers = UniqueIDGenerator(beside: stores.stores[0])
    }

    // MARK: Objects

    package func insert(_ entity: Entity) throws -> RowKey {
        let root = entity.root
        let key = try (lastKeys[root] ?? stores.reserve(0, root, connection)) + 1
        lastKeys[root] = key
        let id = RowKey(entity, key)
        indexes[id] = rows.count
        rows.append((id, try kind(of: entity).defaults))
        return id
    }

    private func kind(of entity: Entity) throws -> Kind {
        if let known = kinds[entity] { return known }
        let kind = try Kind(entity, in: compiler.schema)
        kinds[entity] = kind
        return kind
    }

    package func entity(of id: RowKey) -> Entity { id.entity }
    package func object(with id: RowKey) -> RowKey { id }

    package func set(_ attribute: AttributeProperty, of id: RowKey, to value: FilterValue) throws {
        let stored = try StoredValue.encode(value, for: attribute)
        if case .text(let text) = stored, Int64(text) != nil { numbersInTexts.insert(text) }
        setColumn(attribute.slot, of: id, stored)
    }

    /// Sets a value of a new row; a row in the store keeps its value.
    private func setColumn(_ slot: Int, of id: RowKey, _ value: SQLValue) {
        if let index = indexes[id] { rows[index].values[slot] = value }
    }

    package func set(_ relationship: RelationshipProperty, of id: RowKey, to other: RowKey?) {
        let links = links(of: relationship)
        if links.partners == nil { setColumn(relationship.slot, of: id, other.map { .integer($0.key) } ?? .null) }
        recordLinked(other)
        // The position among others is not in the row yet.
        if let pairs = links.pairs, !pairs.isOrdered { return }
        links.add(other.map { [$0] } ?? [], to: relationship, of: id)
    }

    package func add(_ others: [RowKey], to relationship: RelationshipProperty, of id: RowKey) {
        let links = links(of: relationship)
        var others = others
        others.forEach(recordLinked)
        if let pairs = links.pairs, pairs.isColumn, let inverse = relationship.inverse {
            for other in others { setColumn(inverse.slot, of: other, .integer(id.key)) }
            if !pairs.isOrdered { others.removeAll { indexes[$0] != nil } }
        }
        if !others.isEmpty { links.add(others, to: relationship, of: id) }
    }

    private func recordLinked(_ other: RowKey?) { if let other, indexes[other] == nil { linked.insert(other) } }

    private func links(of relationship: RelationshipProperty) -> SeedLinks {
        if let known = links[relationship] ?? relationship.inverse.flatMap({ links[$0] }) { return known }
        let new = SeedLinks(relationship, in: compiler.schema)
        links[relationship] = new
        return new
    }

    // MARK: Values

    package func greatest(_ attribute: AttributeProperty, below end: Int64) throws -> Int64? {
        let name = attribute.name
        var request = ValueRequest(entity: attribute.entity.name, where: Filter("\(key: name) < \(end)"))
        request.columns = [.init(name, .keyPath([name]))]
        request.sort = [SortKey(name, ascending: false)]
        request.limit = 1
        let stored = try connection.value(of: compiler.query(request).sql)
        let new = rows.lazy.filter { $0.id.entity.isKind(of: attribute.entity) }.map(\.values[attribute.slot])
        let all = (Array(new) + [stored ?? .null]).compactMap { value -> Int64? in
            if case .integer(let number) = value, number < end { number } else { nil }
        }
        return all.max()
    }

    package func contains(_ text: String, in attribute: AttributeProperty) throws -> Bool {
        let request = RowRequest(entity: attribute.entity.name, where: Filter("\(key: attribute.name) == \(text)"))
        return try numbersInTexts.contains(text) || compiler.count(request, on: connection) > 0
    }

    // MARK: Saving

    package func save(naming ids: [RowKey]) throws -> [RowKey] {
        try refuse(rows.flatMap(faults))
        do {
            let written = try write()
            try derive(written)
            try checkCounts(written)
        } catch let error as FetchError {
            try refuse([error.reason])
        } catch let error as SQLiteError where error.isUniqueViolation {
            try refuse(["a value that must be unique exists already: \(error.message)"])
        } catch let error as SQLiteError where error.isRefusal {
            try refuse(["the database refuses a row: \(error.message)"])
        }
        (rows, indexes, numbersInTexts, linked) = ([], [:], [], [])
        return ids
    }

    /// Writes the new rows and all links; returns the keys of the rows that are new or have changed.
    private func write() throws -> [Entity: Set<Int64>] {
        for (root, last) in lastKeys {
            let stored = try stores.reserve(0, root, connection)
            _ = try stores.reserve(Int(last - stored), root, connection)
        }
        var written: [Entity: Set<Int64>] = [:]
        for (id, values) in rows {
            let kind = try kind(of: id.entity)
            try kind.table.insert(id.key, kind.slots.map { values[$0] }, on: connection)
            written[id.entity, default: []].insert(id.key)
        }
        for id in linked { written[id.entity, default: []].insert(id.key) }
        for (_, links) in links.sorted(by: { ($0.key.entity.index, $0.key.slot) < ($1.key.entity.index, $1.key.slot) })
        {
            for (entity, keys) in try links.write(on: connection) where !keys.isEmpty {
                // Those of new rows and of named ones are there, under their own entities.
                let known = written.lazy.filter { $0.key.isKind(of: entity) }.map(\.value)
                written[entity, default: []].formUnion(known.reduce(keys) { $0.subtracting($1) })
            }
        }
        return written
    }

    /// Computes the derived attributes of written rows.
    private func derive(_ written: [Entity: Set<Int64>]) throws {
        let ordered = kinds.sorted { $0.key.index < $1.key.index }
        try RowDerivation.repeatUntilUnchanged(ordered.compactMap(\.value.derivation)) { derivation in
            // A row may be there under the entity of a relationship.
            let keys = written.filter { $0.key.root == derivation.entity.root }.flatMap(\.value)
            return try !keys.isEmpty && derivation.compute(keys, on: connection)
        }
    }

    /// Throws an error that lists at most ten faults, unless there are none.
    private func refuse(_ faults: [String]) throws {
        guard !faults.isEmpty else { return }
        let rest = faults.count > 10 ? ["and \(faults.count - 10) more"] : []
        throw SeedError(
            .invalid, "nothing was saved: " + (faults.prefix(10) + rest).joined(separator: "; "), hint: nil)
    }

    /// What the values of a new row violate.
    private func faults(_ row: (id: RowKey, values: [SQLValue])) -> [String] {
        let entity = row.id.entity
        var faults: [String] = []
        for property in entity.properties where row.values[property.slot] == .null {
            switch property {
            case .attribute(let attribute) where !attribute.isOptional && attribute.declaration.derivation == nil:
                faults.append("\(entity.name).\(attribute.name) is required and has no value")
            case .relationship(let relationship)
            where !relationship.isOptional && !relationship.isToMany && links(of: relationship).partners == nil:
                faults.append("\(entity.name).\(relationship.name) is required and has no object")
            default: break
            }
        }
        for bounds in kinds[entity]?.bounds ?? [] {
            let name = "\(entity.name).\(bounds.attribute.name)"
            faults += bounds.faults(stored: row.values[bounds.attribute.slot]).map { "\(name) \($0.reason)" }
        }
        return faults
    }

    /// Checks how many objects the relationships of written rows have.
    private func checkCounts(_ written: [Entity: Set<Int64>]) throws {
        var faults: [String] = []
        for (entity, keys) in written.sorted(by: { $0.key.index < $1.key.index }) {
            for relationship in entity.relationships {
                let links = links(of: relationship)
                let isPartner = links.partners != nil && !relationship.isOptional
                guard isPartner || links.pairs != nil && relationship.isCounted else { continue }
                let counts = try links.counts(of: relationship, keys, on: connection)
                for key in keys.sorted() {
                    guard let fault = relationship.fault(of: counts[key] ?? 0) else { continue }
                    let reason = isPartner ? "is required and has no object" : fault.reason
                    faults.append("\(entity.name).\(relationship.name) \(reason)")
                }
            }
        }
        try refuse(faults)
    }
}
