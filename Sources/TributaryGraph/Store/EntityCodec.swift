import Foundation
import TributarySQLite

/// Writes rows of one entity into its table: the statements, and what is bound in them.
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
    /// Writes a row over that of the same key, if that still has the version it was read with.
    let update: String

    /// The rows of `entity` in the tables of `schema`.
    package init(_ entity: Entity, in schema: Schema) {
        guard let layout = schema.table(of: entity) else { preconditionFailure("\(entity.name) is of another model") }
        self.entity = entity
        table = layout.name
        hasSubentities = layout.hasSubentities
        let kept = entity.properties.compactMap { property in
            layout.column(property, of: entity).map { (slot: property.slot, column: $0.name, property: property) }
        }
        let attributes = kept.filter { $0.property.attribute != nil }
        let all = attributes + kept.filter { $0.property.relationship != nil }
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
        let places = columns.map { _ in "?" }.joined(separator: ", ")
        return "INSERT INTO \(SQLIdentifier(table).quoted) (\(names)) VALUES (\(places))"
    }

    private static func update(_ table: String, _ columns: [String]) -> String {
        let sets = columns.map { "\(SQLIdentifier($0).quoted) = ?" } + ["\"_version\" = \"_version\" + 1"]
        return "UPDATE \(SQLIdentifier(table).quoted) SET \(sets.joined(separator: ", "))"
            + " WHERE \"_pk\" = ? AND \"_version\" = ?"
    }

    // MARK: Values

    /// How many cells of a block a new row takes: its number and its values.
    var cellCount: Int { slots.count + 1 }

    /// Binds what all new rows have in common, which stays bound.
    func bindConstants(to statement: borrowing Statement) throws {
        try statement.bind(1 as Int64, at: 1)
        if hasSubentities { try statement.bind(entity.name, at: 2) }
    }

    /// Binds a new row, whose cells stand in `block` from `first` on.
    @inline(__always)
    func bindInsertion(_ block: RowBlock, _ first: Int, to statement: borrowing Statement) throws {
        try block.bind(first, 1, to: statement)
        try block.bind(first + 1, slots.count, to: statement, at: ownColumnCount)
    }

    /// Binds all values of a changed row, with `block` to hold them until the statement has run.
    func bindUpdate(
        _ row: Row, key: Int64, version: Int64, to statement: borrowing Statement, _ block: RowBlock
    ) throws {
        block.clear()
        flatten(row, into: block)
        block.append(key)
        block.append(version)
        try block.bind(0, slots.count + 2, to: statement)
    }

    /// Appends the cells of a new row.
    func flatten(_ row: Row, key: Int64, into block: RowBlock) {
        block.append(key)
        flatten(row, into: block)
    }

    private func flatten(_ row: Row, into block: RowBlock) {
        slots.withUnsafeBufferPointer { slots in
            for place in 0..<slots.count {
                EntityCodec.flatten(slots[place], of: row, isReference: place >= attributeCount, into: block)
            }
        }
    }

    /// Appends what stands in one slot.
    @inline(__always)
    static func flatten(_ slot: Int, of row: Row, isReference: Bool, into block: some RowSink) {
        switch row.kind(slot) {
        case .null: block.appendNull()
        case .integer: block.append(row.integer(slot))
        case .double: block.append(row.double(slot))
        case .text: row.withText(slot) { block.append(copying: UnsafeRawBufferPointer($0), .text) }
        case .data: row.data(slot).withUnsafeBytes { block.append(copying: $0, .data) }
        case .uuid: block.append(row.uuid(slot).uuidString)
        case .boxed:
            if isReference {
                // Only objects stand in the slots of relationships.
                let other = unsafeDowncast(row.boxed(slot), to: ManagedObject.self)
                // One that never gets a row is nothing.
                if other.mayHaveRow { block.append(other.key) } else { block.appendNull() }
            } else {
                flatten(box: row.boxed(slot), into: block)
            }
        }
    }

    private static func flatten(box: AnyObject, into block: some RowSink) {
        switch box {
        case let box as Box<Decimal>: block.append("\(box.value)")
        case let box as Box<URL>: block.append(box.value.absoluteString)
        default: fatalError("a value that no attribute can have")
        }
    }
}
