import TributarySQLite

/// Reads the rows of a query into rows of objects in memory.
package struct RowReader {
    /// The columns of the values of an entity.
    private final class Layout {
        var attributes: [AttributeCodec] = []
        var references: [(slot: Int, column: Int)] = []
    }

    private let query: RowLayout
    private let store: String
    /// The layouts by the index of their entity in the model.
    private var layouts: [Int: Layout] = [:]
    /// The entities that a row may name.
    private let names: [(bytes: [UInt8], entity: Entity)]
    /// The entity of the table, if it has only one.
    private let only: (entity: Entity, layout: Layout)?

    /// A reader for rows of `entity` that a query lays out.
    package init(_ query: RowLayout, of entity: Entity, store: String) {
        self.query = query
        self.store = store
        for entity in [entity] + entity.descendants {
            let layout = Layout()
            for (slot, column) in query.positions(of: entity).enumerated() {
                guard let column else { continue }
                switch entity.properties[slot] {
                case .attribute(let attribute): layout.attributes.append(AttributeCodec(attribute, column: column))
                case .relationship(let relationship): layout.references.append((relationship.slot, column))
                }
            }
            layouts[entity.index] = layout
        }
        names = ([entity] + entity.descendants).map { (Array($0.name.utf8), $0) }
        only = query.entityColumn == nil ? layouts[entity.index].map { (entity, $0) } : nil
    }

    /// The key of the current row.
    @inline(__always)
    package func key(_ source: some RowSource) -> Int64 { query.key(of: source) }

    /// The version of the current row.
    @inline(__always)
    package func version(_ source: some RowSource) -> Int64 {
        guard let column = query.versionColumn else { return 0 }
        return source.integer(at: column)
    }

    /// The entity of the current row.
    ///
    /// - Throws: `FetchError` if the row names an unexpected entity.
    @inline(__always)
    package func entity(_ source: some RowSource) throws -> Entity {
        if let only { return only.entity }
        if let column = query.entityColumn {
            for (bytes, entity) in names where source.holds(bytes, at: column) { return entity }
        }
        return try query.entity(of: source)
    }

    /// Writes the values of the current row into `row`; a to-one relationship gets the key of its object.
    ///
    /// - Throws: `StoreError` if a column holds a value that does not fit its attribute.
    package func read(_ source: some RowSource, as entity: Entity, into row: Row) throws {
        guard let layout = only?.layout ?? layouts[entity.index] else {
            preconditionFailure("the query is not for \(entity.name)")
        }
        try layout.attributes.withUnsafeBufferPointer { attributes in
            for index in 0..<attributes.count where !attributes[index].read(source, into: row) {
                throw misfit(source, attributes[index], entity)
            }
        }
        for reference in layout.references {
            if source.storage(at: reference.column) == .null {
                row.clear(reference.slot)
            } else {
                row.set(source.integer(at: reference.column), reference.slot)
            }
        }
    }

    /// The error for a value of another type, which must not be read as zero.
    private func misfit(_ source: some RowSource, _ codec: AttributeCodec, _ entity: Entity) -> StoreError {
        let name = "\(entity.name).\(entity.properties[codec.slot].name)"
        return StoreError(
            .damaged, store,
            "\(name) holds \(source.storage(at: codec.column)) in row \(key(source)), expected \(codec.kind.rawValue)",
            hint: "another program wrote it; correct that row")
    }
}
