import TributarySQLite

/// Where in the rows of a query the values of an object stand.
///
///     owner | _pk | _version | _entity | name | city | age
///           the owner only of children, the entity only where there are subentities
///
/// A row of one entity reads its own columns and leaves those of its siblings alone.
package struct RowLayout: Sendable {
    /// The number of the object at the other end of the relationship; for children alone.
    package let ownerColumn: Int?
    /// The number of the row.
    package let keyColumn: Int
    /// How often the row was written.
    package let versionColumn: Int?
    /// The name of the row's entity; nil if there is only one.
    package let entityColumn: Int?
    /// How many columns a row has.
    package let columnCount: Int
    /// What the columns are, for the SQL.
    let names: [String]
    private let entity: Entity
    private let entities: [String: Entity]
    private let positions: [Int: [Int?]]

    /// The columns of an entity and of those below it.
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
            let places = Dictionary(uniqueKeysWithValues: zip(used, (start + names.count)...))
            for entity in scope {
                positions[entity.index] = table.places[entity.index]?.map { $0.flatMap { places[$0] } }
            }
            names += used.map { table.columns[$0].name }
        }
        self.entity = entity
        self.positions = positions
        self.names = names
        columnCount = start + names.count
        entities = Dictionary(uniqueKeysWithValues: scope.map { ($0.name, $0) })
    }

    /// For each slot of an entity the column of its value; nil for what the query does not read.
    package func positions(of entity: Entity) -> [Int?] {
        positions[entity.index] ?? Array(repeating: nil, count: entity.properties.count)
    }

    /// The number of the row at hand.
    @inline(__always)
    func key(of row: some RowSource) -> Int64 { row.integer(at: keyColumn) }

    /// What the row at hand is.
    ///
    /// - Throws: `FetchError` if it says that it is something else.
    func entity(of row: some RowSource) throws(FetchError) -> Entity {
        guard let entityColumn else { return entity }
        let name = row.text(at: entityColumn)
        guard let entity = entities[name] else {
            throw FetchError(
                .damaged,
                "row \(key(of: row)) of \(self.entity.root.name) says that it is a \(name), which it cannot be")
        }
        return entity
    }

    /// Which row is at hand.
    ///
    /// - Throws: `FetchError` if it says that it is something else.
    func rowKey(of row: some RowSource) throws(FetchError) -> RowKey {
        RowKey(try entity(of: row), key(of: row))
    }
}
