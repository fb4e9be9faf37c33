import TributarySQLite

/// The positions of an object's values in the rows of a query.
///
///     owner | _pk | _version | _entity | name | city | age
///     `owner` only in queries for children, `_entity` only in tables with subentities
///
/// The columns of sibling entities are ignored in the row of an entity.
package struct RowLayout: Sendable {
    /// The column of the owner's key; nil except in queries for children.
    package let ownerColumn: Int?
    /// The column of the row's key.
    package let keyColumn: Int
    /// The column of the row's version, which counts writes; nil if it is not read.
    package let versionColumn: Int?
    /// The column of the entity's name; nil if the table has only one entity.
    package let entityColumn: Int?
    /// The number of columns of a row.
    package let columnCount: Int
    /// The names of the columns, for the SQL.
    let names: [String]
    private let entity: Entity
    private let entities: [String: Entity]
    private let positions: [Int: [Int?]]

    /// The layout of the columns of an entity and its subentities.
    init(
        _ entity: Entity, in table: TableLayout, _ columns: RowColumns, includesSubentities: Bool = true,
        hasOwner: Bool = false
    ) {
        let scope = includesSubentities ? [entity] + entity.descendants : [entity]
        var names = ["_pk"]
        if columns != .keys { names.append("_version") }
        if table.hasSubentities { names.append("_entity") }
        let start = hasOwner ? 1 : 0
        ownerColumn = hasOwner ? 0 : nil
        keyColumn = start
        versionColumn = columns == .keys ? nil : start + 1
        entityColumn = table.hasSubentities ? start + names.count - 1 : nil
        var positions: [Int: [Int?]] = [:]
        if columns == .all {
            let used = Set(scope.flatMap { table.places[$0.index] ?? [] }.compactMap { $0 }).sorted()
            let selected = Dictionary(uniqueKeysWithValues: zip(used, (start + names.count)...))
            for entity in scope {
                positions[entity.index] = table.places[entity.index]?.map { $0.flatMap { selected[$0] } }
            }
            names += used.map { table.columns[$0].name }
        }
        self.entity = entity
        self.positions = positions
        self.names = names
        columnCount = start + names.count
        entities = Dictionary(uniqueKeysWithValues: scope.map { ($0.name, $0) })
    }

    /// The column of each slot of an entity; nil for slots that the query does not read.
    package func positions(of entity: Entity) -> [Int?] {
        positions[entity.index] ?? Array(repeating: nil, count: entity.properties.count)
    }

    /// The entity of the current row.
    func entity(of row: some RowSource) throws(FetchError) -> Entity {
        guard let entityColumn else { return entity }
        let name = row.text(at: entityColumn)
        guard let entity = entities[name] else {
            throw FetchError(
                .damaged,
                "row \(row.integer(at: keyColumn)) of \(self.entity.root.name) has the entity \(name), expected \(self.entity.name) or a subentity"
            )
        }
        return entity
    }
}
