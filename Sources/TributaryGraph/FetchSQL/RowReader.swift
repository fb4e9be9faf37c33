import TributarySQLite

/// Reads the rows of a query into rows in memory.
struct RowReader {
    /// Where the values of an entity stand.
    private struct Layout {
        var attributes: [(codec: AttributeCodec, column: Int)] = []
        var references: [(slot: Int, column: Int)] = []
    }

    private let query: RowLayout
    private let store: String
    /// By the index of the entity in the model.
    private var layouts: [Int: Layout] = [:]
    /// The only entity, if there are no others in the table.
    private let only: (entity: Entity, layout: Layout)?

    /// A reader for rows of `entity` that a query lays out.
    init(_ query: RowLayout, of entity: Entity, store: String) {
        self.query = query
        self.store = store
        for entity in [entity] + entity.descendants {
            var layout = Layout()
            for (slot, column) in query.positions(of: entity).enumerated() {
                guard let column else { continue }
                switch entity.properties[slot] {
                case .attribute(let attribute):
                    let codec = AttributeCodec(attribute, column: "\(entity.name).\(attribute.name)")
                    layout.attributes.append((codec, column))
                case .relationship(let relationship):
                    layout.references.append((relationship.slot, column))
                }
            }
            layouts[entity.index] = layout
        }
        only = query.entityColumn == nil ? layouts[entity.index].map { (entity, $0) } : nil
    }

    /// The number of the row at hand.
    @inline(__always)
    func key(_ statement: borrowing Statement) -> Int64 { query.key(of: statement) }

    /// The version of the row at hand.
    @inline(__always)
    func version(_ statement: borrowing Statement) -> Int64 { query.versionColumn.map(statement.integer) ?? 0 }

    /// What the row at hand is.
    ///
    /// - Throws: `FetchError` if the model does not know it.
    @inline(__always)
    func entity(_ statement: borrowing Statement) throws -> Entity {
        if let only { return only.entity }
        return try query.entity(of: statement)
    }

    /// Puts the values of the row at hand into `row`; a relationship to one gets the number of its object.
    ///
    /// - Throws: `StoreError` if a column holds what its attribute cannot have.
    func read(_ statement: borrowing Statement, as entity: Entity, into row: Row) throws {
        guard let layout = only?.layout ?? layouts[entity.index] else {
            preconditionFailure("the query is not for \(entity.name)")
        }
        for attribute in layout.attributes {
            try attribute.codec.read(statement, at: attribute.column, into: row, store: store)
        }
        for reference in layout.references {
            if statement.isNull(at: reference.column) {
                row.clear(reference.slot)
            } else {
                row.set(statement.integer(at: reference.column), reference.slot)
            }
        }
    }
}
