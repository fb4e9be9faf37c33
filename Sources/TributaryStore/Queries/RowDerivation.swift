package import TributaryModel
package import TributarySQLite

/// Computes the derived attributes of rows in the store itself, as a save computes those of objects.
///
/// Each statement computes one attribute of many rows, after the attributes that it is computed from. Attributes that
/// are computed from other objects depend on what is written later, so at the end they are computed for all rows.
package struct RowDerivation: Sendable {
    /// The entity of the rows, which are not those of its subentities.
    package let entity: Entity
    private let batches: FetchCompiler
    private let attributes: [DerivedAttribute]
    /// The attributes that are computed from other objects, or from such an attribute.
    private let fromOthers: [DerivedAttribute]

    /// Nil if no attribute of the entity is derived and stored.
    package init?(of entity: Entity, in schema: Schema) throws {
        attributes = entity.derived.attributes.filter { !$0.attribute.isTransient }
        guard !attributes.isEmpty, !entity.isAbstract else { return nil }
        var fromOthers: [DerivedAttribute] = []
        for derived in attributes {
            let isRemote = !FilterReach(derived.expression, from: entity).entities.isEmpty
            if isRemote || fromOthers.contains(where: { derived.attribute.isDerived(from: $0.attribute.name) }) {
                fromOthers.append(derived)
            }
        }
        self.entity = entity
        self.fromOthers = fromOthers
        batches = FetchCompiler(schema: schema, model: schema.model)
        for derived in attributes { _ = try query(derived, []) }
    }

    /// Calls `compute` with each of some derivations, again until it says that no row has changed: an attribute may be
    /// computed from a derived one of another entity.
    ///
    /// It ends after as many rounds as there are attributes: those of a tree might change for ever.
    ///
    /// - Returns: Whether a row has changed.
    @discardableResult
    package static func repeatUntilUnchanged(
        _ derivations: [RowDerivation], _ compute: (RowDerivation) throws -> Bool
    ) rethrows -> Bool {
        for round in 0..<derivations.reduce(0, { $0 + $1.attributes.count }) {
            var isChanged = false
            for derivation in derivations where try compute(derivation) { isChanged = true }
            if !isChanged { return round > 0 }
        }
        return !derivations.isEmpty
    }

    /// Computes the attributes of the rows with some primary keys, of which others may be those of other entities.
    ///
    /// - Returns: Whether a row has changed.
    package func compute(_ keys: [Int64], on connection: Connection) throws -> Bool {
        try update(attributes, keys, on: connection)
    }

    /// The name of a row, for messages: its entity, and the values of its first uniqueness constraint.
    package func name(of key: Int64, on connection: Connection) throws -> String {
        guard let outline = batches.schema.outline(of: entity.root), let names = outline.constraints.first else {
            return "\(entity.name), row \(key),"
        }
        let columns = names.map { "quote(\(identifier: $0))" as SQLFragment }
        let values = try connection.rows(
            of: "SELECT \(columns) FROM \(identifier: outline.name) WHERE \"_pk\" = \(key)"
        ) { row in names.indices.map { "\(names[$0]) \(row.text(at: $0))" } }.first
        return "\(entity.name) with \((values ?? []).joined(separator: ", "))"
    }

    /// Computes the attributes that depend on other objects for all rows; returns whether a row has changed.
    package func computeFromOthers(on connection: Connection) throws -> Bool {
        try !fromOthers.isEmpty && update(fromOthers, nil, on: connection)
    }

    private func update(_ attributes: [DerivedAttribute], _ keys: [Int64]?, on connection: Connection) throws -> Bool {
        var isChanged = false
        do {
            try StoredValue.define(for: entity, on: connection)
            for derived in attributes {
                try query(derived, keys).forEachRow(on: connection) { _ in isChanged = true }
            }
        } catch {
            throw StoredValue.unwrapped(error)
        }
        return isChanged
    }

    private func query(_ derived: DerivedAttribute, _ keys: [Int64]?) throws -> RowQuery {
        var update = BatchUpdate(entity: entity.name, set: [derived.attribute.name: derived.expression])
        update.includesSubentities = false
        return try batches.query(update, isDerivation: true, among: keys)
    }
}
