import Foundation
import TributaryConcurrency
import TributarySQLite

/// The statements that write rows of one entity into its table, and the binding of their values.
package struct EntityCodec: Sendable {
    /// The entity.
    package let entity: Entity
    let table: String
    /// The slots in the order of the columns: attributes, then relationships to one.
    private let slots: [Int]
    private let attributeCount: Int
    private let ownColumnCount: Int
    /// The assignments of the columns in an update, in the order of the slots.
    private let assignments: [String]
    /// The statements that update some columns; few sets of columns occur.
    private let updates = Guarded<[Columns: String]>([:])
    /// Inserts a row: `bindConstants` and `bindInsertion` bind its values.
    let insertion: String

    struct Columns: Hashable {
        /// A bit for each column, in the order of the slots.
        fileprivate var bits: UInt64
        /// The columns of every slot, and of the 64th and all later ones if there is one of these.
        static let all = Columns(bits: .max)

        /// Whether the set has the column of the slot at `index`.
        @inline(__always)
        fileprivate func contains(_ index: Int) -> Bool { self == .all || bits & 1 << UInt64(index) != 0 }
    }

    /// The rows of `entity` in the tables of `schema`.
    package init(_ entity: Entity, in schema: Schema) {
        guard let layout = schema.table(of: entity) else { preconditionFailure("\(entity.name) is of another model") }
        self.entity = entity
        table = layout.name
        let stored = entity.properties.compactMap { property in
            layout.column(property, of: entity).map { (slot: property.slot, column: $0.name, property: property) }
        }
        let attributes = stored.filter { $0.property.attribute != nil }
        let all = attributes + stored.filter { $0.property.relationship != nil }
        slots = all.map(\.slot)
        attributeCount = attributes.count
        let own = ["_pk", "_version"] + (layout.hasSubentities ? ["_entity"] : [])
        ownColumnCount = own.count
        let columns = all.map(\.column)
        let names = (own + columns).map { SQLIdentifier($0).quoted }.joined(separator: ", ")
        let placeholders = (own + columns).map { _ in "?" }.joined(separator: ", ")
        insertion = "INSERT INTO \(SQLIdentifier(table).quoted) (\(names)) VALUES (\(placeholders))"
        assignments = columns.map { "\(SQLIdentifier($0).quoted) = ?" }
    }

    // MARK: Statements

    /// The statement that updates columns of a row, if it still has the version with which it was read.
    func update(of columns: Columns) -> String {
        updates.withLock { updates in
            if let known = updates[columns] { return known }
            let sets = assignments.indices.filter(columns.contains).map { assignments[$0] }
            let sql =
                "UPDATE \(SQLIdentifier(table).quoted) SET "
                + (sets + ["\"_version\" = \"_version\" + 1"]).joined(separator: ", ")
                + " WHERE \"_pk\" = ? AND \"_version\" = ?"
            if updates.count < 64 { updates[columns] = sql }
            return sql
        }
    }

    /// The columns in which `row` differs from the row in the store; SQLite writes all indexes of the others as well.
    func changedColumns(of row: Row, since committed: Row) -> Columns {
        guard slots.count < 64 else { return .all }
        var bits: UInt64 = 0
        for index in 0..<slots.count where !row.isEqual(committed, slots[index]) || isDiscarded(index, of: row) {
            bits |= 1 << UInt64(index)
        }
        return Columns(bits: bits)
    }

    /// Whether the slot at `index` refers to an object that never gets a row, which is stored as null.
    @inline(__always)
    private func isDiscarded(_ index: Int, of row: Row) -> Bool {
        guard index >= attributeCount, row.kind(slots[index]) == .boxed else { return false }
        return !unsafeDowncast(row.boxed(slots[index]), to: ManagedObject.self).mayHaveRow
    }

    // MARK: Values

    /// The number of values of a new row: its key and its slots.
    var cellCount: Int { slots.count + 1 }

    /// Binds the values that all new rows share; they stay bound.
    func bindConstants(to statement: borrowing Statement) throws {
        try statement.bind(1 as Int64, at: 1)
        if ownColumnCount > 2 { try statement.bind(entity.name, at: 2) }
    }

    @inline(__always)
    func bindInsertion(_ cells: RowCells, to statement: borrowing Statement) throws {
        try cells.bind(0..<1, to: statement)
        try cells.bind(1..<cellCount, to: statement, at: ownColumnCount)
    }

    /// Appends a changed row, in the order of the placeholders of its update, and returns the number of values.
    ///
    /// They are its values in `columns`, its key and its version.
    func flattenUpdate(_ row: Row, _ columns: Columns, key: Int64, version: Int64, into batch: RowBatch) -> Int {
        batch.begin(ordinal: 0)
        var count = 2
        for index in 0..<slots.count where columns.contains(index) {
            EntityCodec.flatten(slots[index], of: row, isReference: index >= attributeCount, into: batch)
            count += 1
        }
        batch.add(key)
        batch.add(version)
        return count
    }

    func flatten(_ row: Row, key: Int64, into batch: RowBatch) {
        batch.begin(ordinal: 0)
        batch.add(key)
        slots.withUnsafeBufferPointer { slots in
            for index in 0..<slots.count {
                EntityCodec.flatten(slots[index], of: row, isReference: index >= attributeCount, into: batch)
            }
        }
    }

    @inline(__always)
    static func flatten(_ slot: Int, of row: Row, isReference: Bool, into batch: RowBatch) {
        switch row.kind(slot) {
        case .null: batch.addNull()
        case .integer: batch.add(row.integer(slot))
        case .double: batch.add(row.double(slot))
        case .text: row.withText(slot) { batch.add(text: UnsafeRawBufferPointer($0)) }
        case .data: row.data(slot).withUnsafeBytes { batch.add(blob: $0) }
        case .uuid: batch.add(row.uuid(slot).uuidString)
        case .boxed:
            if isReference {
                // The slot of a relationship contains an object.
                let other = unsafeDowncast(row.boxed(slot), to: ManagedObject.self)
                // A reference to an object that never gets a row is stored as null.
                if other.mayHaveRow { batch.add(other.key) } else { batch.addNull() }
            } else {
                batch.add(row.boxedText(slot))
            }
        }
    }
}
