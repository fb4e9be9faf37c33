package import TributarySQLite

/// Carries the rows of one entity between memory and its table: the statements, and what is bound and read in them.
package struct EntityCodec: Sendable {
    private struct Reference: Sendable {
        let slot: Int
        let column: String
    }

    /// The entity.
    package let entity: Entity
    private let table: String
    private let hasSubentities: Bool
    private let attributes: [AttributeCodec]
    private let attributeColumns: [String]
    private let references: [Reference]

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
        attributeColumns = columns
        self.references = references
    }

    private var columns: [String] { attributeColumns + references.map(\.column) }
    private var ownColumns: [String] { ["_pk", "_version"] + (hasSubentities ? ["_entity"] : []) }

    // MARK: Statements

    /// Inserts a row: `insert(_:key:version:)` binds its values.
    package var insertion: String {
        let all = ownColumns + columns
        let names = all.map { SQLIdentifier($0).quoted }.joined(separator: ", ")
        let places = all.map { _ in "?" }.joined(separator: ", ")
        return "INSERT INTO \(SQLIdentifier(table).quoted) (\(names)) VALUES (\(places))"
    }

    /// Writes a row over that of the same key, if that still has the version it was read with.
    package var update: String {
        let sets = columns.map { "\(SQLIdentifier($0).quoted) = ?" } + ["\"_version\" = \"_version\" + 1"]
        return "UPDATE \(SQLIdentifier(table).quoted) SET \(sets.joined(separator: ", "))"
            + " WHERE \"_pk\" = ? AND \"_version\" = ?"
    }

    /// The columns of a query, as `read` expects them: key and version, then the values.
    package var selection: String {
        (["_pk", "_version"] + columns).map { SQLIdentifier($0).quoted }.joined(separator: ", ")
    }

    // MARK: Values

    /// Binds all values of a new row; `keyOf` is the number of an object that a relationship leads to.
    func bindInsertion(
        _ row: Row, key: Int64, to statement: borrowing Statement, keyOf: (ManagedObject) throws -> Int64
    ) throws {
        try statement.bind(key, at: 0)
        try statement.bind(1 as Int64, at: 1)
        if hasSubentities { try statement.bind(entity.name, at: 2) }
        try bindValues(row, to: statement, from: ownColumns.count, keyOf)
    }

    /// Binds all values of a changed row.
    func bindUpdate(
        _ row: Row, key: Int64, version: Int64, to statement: borrowing Statement,
        keyOf: (ManagedObject) throws -> Int64
    ) throws {
        try bindValues(row, to: statement, from: 0, keyOf)
        try statement.bind(key, at: columns.count)
        try statement.bind(version, at: columns.count + 1)
    }

    private func bindValues(
        _ row: Row, to statement: borrowing Statement, from start: Int, _ keyOf: (ManagedObject) throws -> Int64
    ) throws {
        var index = start
        for attribute in attributes {
            try attribute.bind(row, to: statement, at: index)
            index += 1
        }
        for reference in references {
            switch row.kind(reference.slot) {
            case .integer: try statement.bind(row.integer(reference.slot), at: index)
            case .boxed:
                guard let object = row.boxed(reference.slot) as? ManagedObject else {
                    preconditionFailure("\(entity.name).\(reference.column) holds no object")
                }
                try statement.bind(try keyOf(object), at: index)
            default: try statement.bindNull(at: index)
            }
            index += 1
        }
    }

    /// Puts the values of the row at hand into `row`; a relationship to one gets the number of its object.
    ///
    /// - Throws: `StoreError` if a column holds what its attribute cannot have.
    func read(_ statement: borrowing Statement, into row: Row, store: String) throws {
        var index = 2
        for attribute in attributes {
            try attribute.read(statement, at: index, into: row, store: store)
            index += 1
        }
        for reference in references {
            if statement.isNull(at: index) {
                row.clear(reference.slot)
            } else {
                row.set(statement.integer(at: index), reference.slot)
            }
            index += 1
        }
    }
}

extension EntityCodec {
    /// Inserts an object as the row of a number.
    package func insert(
        _ object: ManagedObject, key: Int64, through statement: borrowing Statement,
        keyOf: (ManagedObject) throws -> Int64
    ) throws {
        defer { statement.reset() }
        try bindInsertion(object.row, key: key, to: statement, keyOf: keyOf)
        _ = try statement.step()
    }

    /// Writes an object over the row of a number; false if that has another version by now, or is gone.
    package func update(
        _ object: ManagedObject, key: Int64, version: Int64, on connection: Connection,
        through statement: borrowing Statement, keyOf: (ManagedObject) throws -> Int64
    ) throws -> Bool {
        defer { statement.reset() }
        try bindUpdate(object.row, key: key, version: version, to: statement, keyOf: keyOf)
        _ = try statement.step()
        return connection.changeCount == 1
    }

    /// Fills an object from the row at hand.
    package func fill(_ object: ManagedObject, from statement: borrowing Statement, store: String) throws {
        try read(statement, into: object.row, store: store)
    }
}
