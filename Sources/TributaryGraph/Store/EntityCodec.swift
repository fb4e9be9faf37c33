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
    /// Inserts a row: `bindInsertion` binds its values.
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

    /// Binds all values of a new row; texts stay in `arena` until the statement has run.
    func bindInsertion(_ row: Row, key: Int64, to statement: borrowing Statement, _ arena: TextArena) throws {
        try statement.bind(key, at: 0)
        try statement.bind(1 as Int64, at: 1)
        if hasSubentities { try statement.bind(entity.name, at: 2) }
        try bindValues(row, to: statement, from: ownColumnCount, arena)
    }

    /// Binds all values of a changed row; texts stay in `arena` until the statement has run.
    func bindUpdate(
        _ row: Row, key: Int64, version: Int64, to statement: borrowing Statement, _ arena: TextArena
    ) throws {
        try bindValues(row, to: statement, from: 0, arena)
        try statement.bind(key, at: slots.count)
        try statement.bind(version, at: slots.count + 1)
    }

    private func bindValues(
        _ row: Row, to statement: borrowing Statement, from start: Int, _ arena: TextArena
    ) throws {
        arena.clear()
        try slots.withUnsafeBufferPointer { slots in
            for place in 0..<slots.count {
                try EntityCodec.bind(
                    slots[place], of: row, to: statement, at: start + place, isReference: place >= attributeCount, arena
                )
            }
        }
    }

    /// Binds what stands in one slot.
    @inline(__always)
    static func bind(
        _ slot: Int, of row: Row, to statement: borrowing Statement, at index: Int, isReference: Bool,
        _ arena: TextArena
    ) throws {
        switch row.kind(slot) {
        case .null: try statement.bindNull(at: index)
        case .integer: try statement.bind(row.integer(slot), at: index)
        case .double: try statement.bind(row.double(slot), at: index)
        case .text:
            var text = row.text(slot)
            try text.withUTF8 { bytes in
                if let kept = arena.copy(bytes) {
                    try statement.bind(unmovedText: kept, at: index)
                } else {
                    try statement.bind(copyingText: bytes, at: index)
                }
            }
        case .data: try row.data(slot).withUnsafeBytes { try statement.bind(copying: $0, at: index) }
        case .uuid: try statement.bind(row.uuid(slot).uuidString, at: index)
        case .boxed:
            if isReference {
                // Only objects stand in the slots of relationships.
                let other = unsafeDowncast(row.boxed(slot), to: ManagedObject.self)
                // One that never gets a row is nothing.
                if other.mayHaveRow {
                    try statement.bind(other.key, at: index)
                } else {
                    try statement.bindNull(at: index)
                }
            } else {
                try bindBoxed(row.boxed(slot), to: statement, at: index)
            }
        }
    }

    private static func bindBoxed(_ box: AnyObject, to statement: borrowing Statement, at index: Int) throws {
        switch box {
        case let box as Box<Decimal>: try statement.bind("\(box.value)", at: index)
        case let box as Box<URL>: try statement.bind(box.value.absoluteString, at: index)
        default: preconditionFailure("a value that no attribute can have")
        }
    }
}
