import Foundation
package import TributarySQLite

/// A table that rows are written into in bulk: its columns, its key and the statements.
package struct BulkTable: Sendable {
    /// A column that rows have values for.
    package struct Column: Sendable {
        /// The name of its attribute.
        package let attributeName: String
        /// The name in the table.
        package let name: String
        /// The value in a new row whose record has none.
        package let defaultValue: SQLValue
        /// Whether a row must have a value.
        package let isMandatory: Bool
        /// Whether only a new row gets a value.
        package var isSetOnce = false
        /// Whether a record without a value leaves it as it is, in every mode.
        package var isKept = false
        /// The column with the position of the row among those of its owner, if it is the link to the owner.
        package var order: String?
    }

    /// What a mapping says about a column.
    package struct ColumnRule: Sendable, Hashable {
        /// The value in a new row whose record has none; nil for that of the model.
        package var defaultValue: SQLValue?
        /// Whether only a new row gets a value.
        package var isSetOnce = false
        /// Whether a record without a value leaves it as it is, in every mode.
        package var isKept = false
        /// The attribute by which records are compared: an older one does not change the column.
        package var newest: String?

        /// The rule of a column without one, or parts of it.
        package init(
            defaultValue: SQLValue? = nil, isSetOnce: Bool = false, isKept: Bool = false, newest: String? = nil
        ) {
            self.defaultValue = defaultValue
            self.isSetOnce = isSetOnce
            self.isKept = isKept
            self.newest = newest
        }
    }

    /// Columns that a record changes only if it is not older than the row.
    package struct Newest: Sendable {
        /// The column by which they are compared.
        package let by: Int
        package let columns: [Int]
    }

    /// The entity.
    package let entity: Entity
    /// The columns, in the order of the cells of a row.
    package let columns: [Column]
    /// The indexes of the key among the columns.
    package let key: [Int]
    /// The names of the entity and its subentities, if the table holds other entities as well.
    package let kinds: Set<String>?
    /// Whether there are uniqueness constraints besides the key.
    package let hasOtherConstraints: Bool
    /// Whether a row may be refused because of rows that the table has already.
    package var mayRefuse: Bool { hasOtherConstraints || kinds != nil }
    /// The name of the table.
    package let name: String
    /// Inserts the rows of the `RowTable`.
    let insertion: String
    /// Inserts one row, whose values are some cells of a new row.
    let insertionOfOne: String
    let insertedCells: [Int]
    /// The number of cells of a new row before its columns: its primary key and the name of its entity.
    static let ownCells = 2
    let lookup: String
    let reading: String
    /// The columns that an update may change: all but the key, by which the row is found.
    package let changeable: [Int]
    /// The columns that a later record of the same key does not change.
    let fixed: [Int]
    /// The columns that depend on the age of a record.
    package private(set) var newest: [Newest] = []
    let update: String

    /// The primary keys of the rows with some keys, as far as there are any of this entity.
    package func primaryKeys(of keys: [[SQLValue]], on connection: Connection) throws -> [Int64] {
        let batch = RowBatch(width: key.count)
        for (ordinal, values) in keys.enumerated() {
            batch.begin(ordinal: ordinal)
            for value in values { batch.add(value) }
        }
        return try primaryKeys(of: batch, on: connection)
    }

    /// The primary keys of the rows whose keys a batch has, as far as there are any of this entity.
    package func primaryKeys(of batch: RowBatch, on connection: Connection) throws -> [Int64] {
        guard batch.count > 0, !key.isEmpty else { return [] }
        let cells = UnsafeMutableBufferPointer<SQLCell>.allocate(capacity: batch.count * key.count)
        defer { cells.deallocate() }
        for row in 0..<batch.count {
            let start = row * key.count
            batch.read(row, into: UnsafeMutableBufferPointer(rebasing: cells[start..<(start + key.count)]))
        }
        var found: [Int64] = []
        try connection.keys.withRows(UnsafeBufferPointer(cells), width: key.count) {
            try connection.withUnboundStatement(lookup) { statement in
                while try statement.step() {
                    if kinds?.contains(statement.text(at: 2)) ?? true { found.append(statement.integer(at: 1)) }
                }
            }
        }
        return found
    }

    /// Inserts a row with a value for each column.
    package func insert(_ key: Int64, _ values: [SQLValue], on connection: Connection) throws {
        try connection.withUnboundStatement(insertionOfOne) { statement in
            try statement.bind([.integer(key)] + (kinds == nil ? [] : [.text(entity.name)]) + values)
            _ = try statement.step()
        }
        guard connection.changeCount == 1 else {
            throw SQLiteError(
                .constraint, "a trigger has ignored a new row of \(name)", database: connection.name)
        }
    }

    /// The table of `entity`, with the columns of some to-one relationships, then those of some attributes, and what a
    /// mapping says about these by their names.
    package init(
        _ entity: Entity, links: [RelationshipProperty] = [], attributes: [AttributeProperty], key: [AttributeProperty],
        rules: [String: ColumnRule] = [:], schema: Schema
    ) {
        guard let layout = schema.table(of: entity) else { fatalError("no open store contains \(entity.name)") }
        let linkColumns: [Column] = links.compactMap { relationship in
            layout.column(.relationship(relationship), of: entity).map { column in
                let rule = rules[relationship.name] ?? ColumnRule()
                return Column(
                    attributeName: relationship.name, name: column.name, defaultValue: .null,
                    isMandatory: !relationship.isOptional, isSetOnce: rule.isSetOnce, isKept: true,
                    order: relationship.inverse.flatMap { $0.isToMany && $0.isOrdered ? Schema.orderColumn($0) : nil })
            }
        }
        let columns: [Column] =
            linkColumns
            + attributes.compactMap { attribute in
                layout.column(.attribute(attribute), of: entity).map { column in
                    let rule = rules[attribute.name] ?? ColumnRule()
                    return Column(
                        attributeName: attribute.name, name: column.name,
                        defaultValue: rule.defaultValue
                            ?? attribute.declaration.defaultValue?.stored(as: attribute.type) ?? .null,
                        isMandatory: !attribute.isOptional, isSetOnce: rule.isSetOnce, isKept: rule.isKept)
                }
            }
        let kinds = layout.hasSubentities ? Set(([entity] + entity.descendants).map(\.name)) : nil
        let names = Set(key.map(\.name))
        let constraints = ([entity] + entity.descendants).flatMap(\.uniquenessConstraints)
        let others = constraints.filter { Set($0.properties.map(\.name)) != names }
        // Sibling entities may share the column, each with its own keys.
        let scope = entity.scope(ofKey: key)
        self.init(
            entity, name: layout.name, columns, key: key.map(\.name), kinds: kinds,
            scope: scope == layout.root ? nil : Schema.condition(of: scope, in: "t."),
            hasOtherConstraints: !others.isEmpty)
        let guarded = Dictionary(grouping: rules.filter { $1.newest != nil }, by: { $1.newest ?? "" })
        newest = guarded.sorted { $0.key < $1.key }.compactMap { name, rules in
            guard let by = self.columns.firstIndex(where: { $0.attributeName == name }) else { return nil }
            let names = Set(rules.map(\.key) + [name])
            return Newest(by: by, columns: changeable.filter { names.contains(self.columns[$0].attributeName) })
        }
    }

    /// The table of an entity whose attributes are inferred: columns of any type.
    init(
        _ entity: Entity, inferred names: [String], key: [String], defaults: [String: SQLValue],
        hasOtherConstraints: Bool
    ) {
        let columns = names.map { name in
            let value = defaults.isEmpty ? nil : defaults[name.lowercasedASCII]
            return Column(attributeName: name, name: name, defaultValue: value ?? .null, isMandatory: false)
        }
        // The declared type of a column would turn the text of a key into a number.
        let scope = key.indices.map { index in
            let name = SQLIdentifier(key[index]).quoted
            return "(typeof(t.\(name)) = 'text') = (typeof(k.\"c\(index)\") = 'text')"
        }
        self.init(
            entity, name: entity.name, columns, key: key, kinds: nil,
            scope: scope.isEmpty ? nil : SQLFragment(trusted: scope.joined(separator: " AND ")),
            hasOtherConstraints: hasOtherConstraints)
    }

    private init(
        _ entity: Entity, name: String, _ columns: [Column], key: [String], kinds: Set<String>?,
        scope: SQLFragment?, hasOtherConstraints: Bool
    ) {
        self.entity = entity
        self.name = name
        self.columns = columns
        self.kinds = kinds
        self.hasOtherConstraints = hasOtherConstraints
        let keyIndexes = key.compactMap { part in columns.firstIndex { $0.attributeName == part } }
        self.key = keyIndexes
        let quoted = columns.map { SQLIdentifier($0.name).quoted }
        let table = SQLIdentifier(name).quoted
        let keyTable = SQLIdentifier(KeyTable.name).quoted
        let own = ["\"_pk\""] + (kinds == nil ? [] : ["\"_entity\""])
        // Every row has a cell for the name of its entity, needed or not.
        let cells = (kinds == nil ? [0] : [0, 1]) + columns.indices.map { $0 + BulkTable.ownCells }
        insertedCells = cells
        let rowTable = SQLIdentifier(RowTable.name(width: columns.count + BulkTable.ownCells)).quoted
        let names = "\(table) (\((own + quoted).joined(separator: ", ")))"
        // A conflict clause would also apply to the statements of triggers.
        insertionOfOne = "INSERT INTO \(names) VALUES (\(cells.map { _ in "?" }.joined(separator: ", ")))"
        insertion =
            "INSERT OR FAIL INTO \(names)"
            + " SELECT \(cells.map { "\"c\($0)\"" }.joined(separator: ", ")) FROM \(rowTable)"
        let kind = kinds == nil ? "" : ", t.\"_entity\""
        let match = (self.key.enumerated().map { "t.\(quoted[$1]) = k.\"c\($0)\"" } + (scope.map { [$0.text] } ?? []))
            .joined(separator: " AND ")
        lookup = "SELECT k.\"rowid\", t.\"_pk\"\(kind) FROM \(keyTable) AS k CROSS JOIN \(table) AS t ON \(match)"
        reading =
            "SELECT k.\"rowid\"\(quoted.map { ", t.\($0)" }.joined()) FROM \(keyTable) AS k"
            + " CROSS JOIN \(table) AS t ON t.\"_pk\" = k.\"c0\""
        let changeable = columns.indices.filter { !keyIndexes.contains($0) && !columns[$0].isSetOnce }
        self.changeable = changeable
        fixed = columns.indices.filter { keyIndexes.contains($0) || columns[$0].isSetOnce }
        update = BulkTable.update(table, changeable.map { columns[$0] })
    }

    private static func update(_ table: String, _ columns: [Column]) -> String {
        let sets = columns.enumerated().map { index, column in
            let name = SQLIdentifier(column.name).quoted
            // With another owner it has no position yet.
            let order = column.order.map { order -> String in
                let order = SQLIdentifier(order).quoted
                return "\(order) = CASE WHEN \(name) IS ?\(index + 1) THEN \(order) END, "
            }
            return "\(name) = ?\(index + 1), \(order ?? "")"
        }
        return "UPDATE \(table) SET \(sets.joined())\"_version\" = \"_version\" + 1 WHERE \"_pk\" = ?"
    }

    /// Drops the values that a record may not change because it is older than the row with the values `current`.
    @inline(__always)
    func dropStale(_ cells: UnsafeMutableBufferPointer<SQLCell>, _ current: (Int) -> SQLCell) {
        for guarded in newest where isOlder(cells[guarded.by], current(guarded.by)) {
            for column in guarded.columns { cells[column] = .absent }
        }
    }

    /// Whether a value is there and less than another one.
    func isOlder(_ new: SQLCell, _ old: SQLCell) -> Bool {
        guard new.kind != .absent, new.kind != .null, old.kind != .absent, old.kind != .null else { return false }
        return new.comes(before: old) == true
    }

    /// The statement that changes some columns of a row.
    func update(of indexes: [Int]) -> String {
        if indexes == changeable { return update }
        return BulkTable.update(SQLIdentifier(name).quoted, indexes.map { columns[$0] })
    }
}
