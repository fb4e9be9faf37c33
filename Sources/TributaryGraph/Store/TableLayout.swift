/// The table of a root entity and of all entities below it.
///
///     "Person"   _pk | _version | _entity | id | name | city | age
///
/// `_entity` is there only where there are subentities. Siblings that have an attribute of one name share its column if
/// the types agree; else the later one's column bears the name of its entity, as `Reader.city`.
struct TableLayout: Sendable {
    let root: Entity
    /// The columns of the model, those of the root first.
    private(set) var columns: [ColumnLayout] = []
    /// For each entity of the hierarchy, by its index in the model: for each slot its column, or nil for what is not
    /// kept in the table.
    private(set) var places: [Int: [Int?]] = [:]

    /// The name of the table.
    var name: String { root.name }
    /// Whether rows say what they are.
    var hasSubentities: Bool { !root.subentities.isEmpty }

    init(_ root: Entity) {
        self.root = root
        var known: [String: Int] = [:]
        for entity in [root] + root.descendants {
            // What is inherited has its column already.
            var slots = entity.parent.flatMap { places[$0.index] } ?? []
            for property in entity.properties[slots.count...] {
                slots.append(Self.column(for: property).map { place($0, of: entity, &known) })
            }
            places[entity.index] = slots
        }
    }

    /// The column of a property; nil if it has none.
    private static func column(for property: Property) -> ColumnLayout? {
        switch property {
        case .attribute(let attribute):
            guard !attribute.isTransient else { return nil }
            return ColumnLayout(name: attribute.name, storage: attribute.type.storage)
        case .relationship(let relationship):
            guard !relationship.isTransient, !relationship.isToMany else { return nil }
            // What nobody keeps in step may lead nowhere.
            let isKept = relationship.inverse.map { $0.deleteRule != .noAction } ?? false
            return ColumnLayout(
                name: relationship.name, storage: .integer,
                reference: isKept ? relationship.destination.root.name : nil)
        }
    }

    private mutating func place(_ column: ColumnLayout, of entity: Entity, _ known: inout [String: Int]) -> Int {
        // SQLite takes names for equal that differ in ASCII case only.
        if let place = known[column.name.lowercasedASCII], columns[place] == column { return place }
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
    func column(_ property: Property, of entity: Entity) -> ColumnLayout? {
        guard let slots = places[entity.index], property.slot < slots.count, let place = slots[property.slot] else {
            return nil
        }
        return columns[place]
    }
}
