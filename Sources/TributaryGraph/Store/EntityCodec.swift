import TributarySQLite

/// Carries the rows of one entity between memory and its table: the statements, and what is bound and read in them.
package struct EntityCodec: Sendable {
    private struct Reference: Sendable {
        let slot: Int
        let column: String
    }

    /// The entity.
    package let entity: Entity
    let table: String
    private let hasSubentities: Bool
    private let attributes: [AttributeCodec]
    private let references: [Reference]
    private let columnCount: Int
    private let ownColumnCount: Int
    /// Inserts a row: `bindInsertion` binds its values.
    let insertion: String
    /// Writes a row over that of the same key, if that still has the version it was read with.
    let update: String
    /// Deletes the row of a key, if that still has the version it was read with.
    let deletion: String

    /// The rows of `entity` in the tables of `schema`.
    package init(_ entity: Entity, in schema: Schema) {
        guard let layout = schema.table(of: entity) else { preconditionFailure("\(entity.name) is of another model") }
        self.entity = entity
        table = layout.name
        hasSubentities = layout.hasSubentities
        var attributes: [AttributeCodec] = []
        var columns: [String] = []
        var references: [Reference] = []
        for property in entity.properties {
            guard let column = layout.column(property, of: entity)?.name else { continue }
            switch property {
            case .attribute(let attribute):
                attributes.append(AttributeCodec(attribute, column: "\(layout.name).\(column)"))
                columns.append(column)
            case .relationship(let relationship):
                references.append(Reference(slot: relationship.slot, column: column))
            }
        }
        self.attributes = attributes
        self.references = references
        columns = columns + references.map(\.column)
        columnCount = columns.count
        let own = ["_pk", "_version"] + (hasSubentities ? ["_entity"] : [])
        ownColumnCount = own.count
        insertion = EntityCodec.insertion(table, own + columns)
        update = EntityCodec.update(table, columns)
        deletion =
            "DELETE FROM \(SQLIdentifier(table).quoted) WHERE \"_pk\" = ? AND \"_version\" = ?"
    }

    // MARK: Statements

    /// Inserts a row: `bindInsertion` binds its values.
    private static func insertion(_ table: String, _ columns: [String]) -> String {
        let names = columns.map { SQLIdentifier($0).quoted }.joined(separator: ", ")
        let places = columns.map { _ in "?" }.joined(separator: ", ")
        return "INSERT INTO \(SQLIdentifier(table).quoted) (\(names)) VALUES (\(places))"
    }

    /// Writes a row over that of the same key, if that still has the version it was read with.
    private static func update(_ table: String, _ columns: [String]) -> String {
        let sets = columns.map { "\(SQLIdentifier($0).quoted) = ?" } + ["\"_version\" = \"_version\" + 1"]
        return "UPDATE \(SQLIdentifier(table).quoted) SET \(sets.joined(separator: ", "))"
            + " WHERE \"_pk\" = ? AND \"_version\" = ?"
    }

    // MARK: Values

    /// Binds all values of a new row.
    func bindInsertion(_ row: Row, key: Int64, to statement: borrowing Statement) throws {
        try statement.bind(key, at: 0)
        try statement.bind(1 as Int64, at: 1)
        if hasSubentities { try statement.bind(entity.name, at: 2) }
        try bindValues(row, to: statement, from: ownColumnCount)
    }

    /// Binds all values of a changed row.
    func bindUpdate(_ row: Row, key: Int64, version: Int64, to statement: borrowing Statement) throws {
        try bindValues(row, to: statement, from: 0)
        try statement.bind(key, at: columnCount)
        try statement.bind(version, at: columnCount + 1)
    }

    /// Binds what stands in one slot.
    func bind(_ slot: Int, of row: Row, to statement: borrowing Statement, at index: Int) throws {
        if let attribute = attributes.first(where: { $0.slot == slot }) {
            try attribute.bind(row, to: statement, at: index)
        } else {
            try bindReference(slot, of: row, to: statement, at: index)
        }
    }

    @inline(__always)
    private func bindReference(_ slot: Int, of row: Row, to statement: borrowing Statement, at index: Int) throws {
        switch row.kind(slot) {
        case .integer: try statement.bind(row.integer(slot), at: index)
        case .boxed:
            // Only objects stand in the slots of relationships.
            try statement.bind(unsafeDowncast(row.boxed(slot), to: ManagedObject.self).key, at: index)
        default: try statement.bindNull(at: index)
        }
    }

    private func bindValues(_ row: Row, to statement: borrowing Statement, from start: Int) throws {
        var index = start
        for attribute in attributes {
            try attribute.bind(row, to: statement, at: index)
            index += 1
        }
        for reference in references {
            try bindReference(reference.slot, of: row, to: statement, at: index)
            index += 1
        }
    }
}
