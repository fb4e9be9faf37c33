package import TributarySQLite

/// A table with inferred columns: a column is added to it and to the stored model in the transaction of the first row
/// that needs the column, and gets another declared type before a value that its type would change.
package struct GrowingTable: Sendable {
    /// The entity's name.
    package let name: String
    /// The columns of the key.
    package let key: [String]
    /// The columns of the table.
    package private(set) var columns: [String]
    /// The declared types, before and after, of columns that had values.
    package private(set) var widened: [String: (before: String, after: String)] = [:]
    /// The kinds of values that each column has had.
    package private(set) var kinds: [ValueKinds]

    /// The values of new rows that lack them, by the names of columns with small letters.
    private let defaults: [String: SQLValue]
    /// Whether the table has a unique index besides that of the key.
    private let hasOtherConstraints: Bool

    /// The table of an entity of a store with an inferred model.
    package init(
        _ entity: Entity, key: [String], defaults: [String: SQLValue] = [:], hasOtherConstraints: Bool = false
    ) {
        (self.defaults, self.hasOtherConstraints) = (defaults, hasOtherConstraints)
        name = entity.name
        self.key = key
        columns = entity.attributes.map(\.name)
        kinds = entity.attributes.map { $0.type == .json ? .text : $0.declaration.valueKinds }
    }

    /// Whether the table needs further columns, or has had no values of some of these kinds.
    package func needs(_ names: [String], _ kinds: [ValueKinds]) -> Bool {
        names.count > columns.count || zip(self.kinds, kinds).contains { !$0.isSuperset(of: $1) }
    }

    /// The names of the columns whose values have no common type.
    package var mixedColumns: [String] { zip(columns, kinds).filter { $1.isMixed }.map(\.0) }

    /// The table with the columns `names`, to write rows into.
    package func table(_ entity: Entity, _ names: [String]) -> BulkTable {
        BulkTable(
            entity, inferred: names, key: key, defaults: defaults, hasOtherConstraints: hasOtherConstraints)
    }

    /// Adds the columns that the table does not have yet, and declares types that suit values of these kinds, in a
    /// transaction; `json` is the column of JSON.
    package mutating func grow(
        to names: [String], _ kinds: [ValueKinds], json: String, on connection: Connection
    ) throws {
        guard var model = try StoredModel.read(on: connection),
            let place = model.entities.firstIndex(where: { $0.name == name })
        else { fatalError("internal error: a store with inferred columns has no model of \(name)") }
        var attributes = model.entities[place].attributes
        var altered: [(name: String, storage: ColumnLayout.Storage)] = []
        // An earlier import of the same manager may have added some of them.
        var places = Dictionary(attributes.enumerated().map { ($1.name, $0) }) { first, _ in first }
        for (index, column) in names.enumerated() {
            let wanted = index < kinds.count ? kinds[index] : []
            if let place = places[column] {
                guard attributes[place].type == .undefined else { continue }
                let (earlier, hadValues) = (attributes[place].storage, !attributes[place].valueKinds.isEmpty)
                attributes[place].valueKinds.formUnion(wanted)
                let storage = attributes[place].storage
                guard storage != earlier else { continue }
                altered.append((column, storage))
                let before = widened[column]?.before ?? earlier.rawValue
                if hadValues { widened[column] = (before, storage.rawValue) }
                continue
            }
            let isTaken = try connection.hasRows(
                "SELECT 1 FROM pragma_table_xinfo(\(name)) WHERE \"name\" = \(column) COLLATE NOCASE")
            guard !isTaken else {
                throw StoreError(
                    .foreign, connection.name, "another program has added the column \(column) to \(name)",
                    hint: "rename that column with ALTER TABLE, or import into another table")
            }
            let attribute = column == json ? AttributeDescription(column, .json) : .inferred(column, kinds: wanted)
            let type = SQLFragment(trusted: attribute.storage.rawValue)
            // For the sake of indexes, as in `declare`.
            try connection.transaction {
                try connection.execute("ALTER TABLE \(identifier: name) ADD COLUMN \(identifier: column) \(type)")
            }
            places[column] = attributes.count
            attributes.append(attribute)
        }
        try GrowingTable.declare(altered, in: name, on: connection)
        model.entities[place].attributes = attributes
        try StoredModel.replace(with: Model(model), on: connection)
        columns = names
        self.kinds = names.compactMap { places[$0] }.map { place in
            attributes[place].type == .json ? .text : attributes[place].valueKinds
        }
        connection.clearStatements()
    }

    /// Changes the declared types of columns; no row changes.
    static func declare(
        _ types: [(name: String, storage: ColumnLayout.Storage)], in table: String, on connection: Connection
    ) throws {
        guard !types.isEmpty else { return }
        var statement = try TableStatement(of: table, on: connection)
        for column in types {
            if statement?.setStorage(column.storage, of: column.name) ?? false { continue }
            throw StoreError(
                .foreign, connection.name,
                "another program has altered the column \(column.name) of \(table), which needs another type",
                hint: "import into another table")
        }
        guard let statement else { return }
        // A savepoint makes indexes write what they keep in memory, which a changed schema makes SQLite forget.
        try connection.transaction { try connection.setStatement(ofTable: table, to: statement.sql) }
        // 7 is 7.0 in a column of real numbers.
        let names = types.map(\.name)
        for index in try SearchIndex.all(on: connection)
        where index.table == table && names.contains(where: index.columns.contains) {
            try index.rebuild(on: connection)
        }
    }
}
