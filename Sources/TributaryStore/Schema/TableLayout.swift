/// The table of a root entity and of all its subentities.
///
///     "Person"   _pk | _version | _entity | id | name | city | age
///
/// `_entity` exists only if there are subentities. Siblings with attributes of the same name share a column if the
/// types are equal; otherwise the name of the later column begins with its entity, as in `Reader.city`.
package struct TableLayout: Sendable {
    package let root: Entity
    /// The columns of properties, beginning with those of the root.
    private(set) var columns: [ColumnLayout] = []
    /// The index of the column of each slot, by the index of the entity in the model; nil for a property without a
    /// column.
    private(set) var places: [Int: [Int?]] = [:]

    /// The name of the table.
    package var name: String { root.name }
    /// Whether a column has the entity of each row.
    package var hasSubentities: Bool { !root.subentities.isEmpty }

    init(_ root: Entity) {
        self.root = root
        var known: [String: Int] = [:]
        for entity in [root] + root.descendants {
            // Inherited properties already have columns.
            var slots = entity.parent.flatMap { places[$0.index] } ?? []
            for property in entity.properties[slots.count...] {
                slots.append(Self.column(for: property).map { addColumn($0, of: entity, &known) })
            }
            places[entity.index] = slots
        }
    }

    /// The column of a property; nil if it has none.
    private static func column(for property: Property) -> ColumnLayout? {
        switch property {
        case .attribute(let attribute):
            guard !attribute.isTransient else { return nil }
            return ColumnLayout(name: attribute.name, storage: attribute.declaration.storage)
        case .relationship(let relationship):
            guard !relationship.isTransient, !relationship.isToMany else { return nil }
            // A reference without a maintained inverse may dangle.
            let isEnforced = relationship.inverse.map { $0.deleteRule != .noAction } ?? false
            return ColumnLayout(
                name: relationship.name, storage: .integer,
                reference: isEnforced ? relationship.destination.root.name : nil)
        }
    }

    private mutating func addColumn(_ column: ColumnLayout, of entity: Entity, _ known: inout [String: Int]) -> Int {
        // SQLite ignores ASCII case in names.
        if let index = known[column.name.lowercasedASCII], columns[index] == column { return index }
        var column = column
        if known[column.name.lowercasedASCII] != nil {
            column = ColumnLayout(
                name: "\(entity.name).\(column.name)", storage: column.storage, reference: column.reference)
        }
        known[column.name.lowercasedASCII] = columns.count
        columns.append(column)
        return columns.count - 1
    }

    /// The column of a property of an entity of the hierarchy.
    package func column(_ property: Property, of entity: Entity) -> ColumnLayout? {
        guard let slots = places[entity.index], property.slot < slots.count, let index = slots[property.slot] else {
            return nil
        }
        return columns[index]
    }
}
