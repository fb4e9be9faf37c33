import Foundation
import TributarySQLite

/// The statements that write rows of one entity into its table, and the binding of their values.
package struct EntityCodec: Sendable {
    /// The entity.
    package let entity: Entity
    let table: String
    private let hasSubentities: Bool
    /// The slots in the order of the columns: attributes, then relationships to one.
    private let slots: [Int]
    private let attributeCount: Int
    private let ownColumnCount: Int
    /// Inserts a row: `bindConstants` and `bindInsertion` bind its values.
    let insertion: String
    /// Updates a row if it still has the version with which it was read.
    let update: String

    /// The rows of `entity` in the tables of `schema`.
    package init(_ entity: Entity, in schema: Schema) {
        guard let layout = schema.table(of: entity) else { preconditionFailure("\(entity.name) is of another model") }
        self.entity = entity
        table = layout.name
        hasSubentities = layout.hasSubentities
        let stored = entity.properties.compactMap { property in
            layout.column(property, of: entity).map { (slot: property.slot, column: $0.name, property: property) }
        }
        let attributes = stored.filter { $0.property.attribute != nil }
        let all = attributes + stored.filter { $0.property.relationship != nil }
        slots = all.map(\.slot)
        attributeCount = attributes.count
        let own = ["_pk", "_version"] + (hasSubentities ? ["_entity"] : [])
        ownColumnCount = own.count
        let columns = all.map(\.column)
        insertion = EntityCodec.insertion(table, own + columns)
        update = EntityCodec.update(table, columns)
    }

    // MARK: Statements

    private static func insertion(_ table: String, _ columns: [String]) -> String {
        let names = columns.map { SQLIdentifier($0).quoted }.joined(separator: ", ")
        let placeholders = columns.map { _ in "?" }.joined(separator: ", ")
        return "INSERT INTO \(SQLIdentifier(table).quoted) (\(names)) VALUES (\(placeholders))"
    }

    private static func update(_ table: String, _ columns: [String]) -> String {
        let sets = columns.map { "\(SQLIdentifier($0).quoted) = ?" } + ["\"_version\" = \"_version\" + 1"]
        return "UPDATE \(SQLIdentifier(table).quoted) SET \(sets.joined(separator: ", "))"
            + " WHERE \"_pk\" = ? AND \"_version\" = ?"
    }

    // MARK: Values

    /// The number of values of a new row: its key and its slots.
    var cellCount: Int { slots.count + 1 }

    /// Binds the values that all new rows share; they stay bound.
    func bindConstants(to statement: borrowing Statement) throws {
        try statement.bind(1 as Int64, at: 1)
        if hasSubentities { try statement.bind(entity.name, at: 2) }
    }

    /// Binds a new row.
    @inline(__always)
    func bindInsertion(_ cells: RowCells, to statement: borrowing Statement) throws {
        try cells.bind(0..<1, to: statement)
        try cells.bind(1..<cellCount, to: statement, at: ownColumnCount)
    }

    /// Appends a changed row: its values, its key and its version, in the order of the placeholders of `update`.
    func flattenUpdate(_ row: Row, key: Int64, version: Int64, into batch: RowBatch) {
        batch.begin(ordinal: 0)
        flatten(row, into: batch)
        batch.add(key)
        batch.add(version)
    }

    /// Appends a new row.
    func flatten(_ row: Row, key: Int64, into batch: RowBatch) {
        batch.begin(ordinal: 0)
        batch.add(key)
        flatten(row, into: batch)
    }

    private func flatten(_ row: Row, into batch: RowBatch) {
        slots.withUnsafeBufferPointer { slots in
            for index in 0..<slots.count {
                EntityCodec.flatten(slots[index], of: row, isReference: index >= attributeCount, into: batch)
            }
        }
    }

    /// Appends the value of one slot.
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
                flatten(box: row.boxed(slot), into: batch)
            }
        }
    }

    private static func flatten(box: AnyObject, into batch: RowBatch) {
        switch box {
        case let box as Box<Decimal>: batch.add("\(box.value)")
        case let box as Box<URL>: batch.add(box.value.absoluteString)
        default: fatalError("internal error: no attribute has values of this type")
        }
    }
}
