import TributarySQLite

/// Reads the rows of a query into rows of objects in memory.
@usableFromInline
package struct RowReader {
    private let query: RowLayout
    private let store: String
    @usableFromInline let keyColumn: Int
    @usableFromInline let versionColumn: Int?
    /// The codecs by the index of their entity in the model.
    private var codecs: [Int: RowCodec] = [:]
    /// The entities that a row may name.
    private let names: [(bytes: [UInt8], entity: Entity)]
    /// The entity of the table, if it has only one.
    @usableFromInline let only: Entity?
    private let onlyCodec: RowCodec?

    /// A reader for rows of `entity` that a query lays out.
    package init(_ query: RowLayout, of entity: Entity, store: String) {
        self.query = query
        self.store = store
        keyColumn = query.keyColumn
        versionColumn = query.versionColumn
        for entity in [entity] + entity.descendants {
            var attributes: [AttributeCodec] = []
            var references: [(slot: Int, column: Int)] = []
            for (slot, column) in query.positions(of: entity).enumerated() {
                guard let column else { continue }
                switch entity.properties[slot] {
                case .attribute(let attribute): attributes.append(AttributeCodec(attribute, column: column))
                case .relationship(let relationship): references.append((relationship.slot, column))
                }
            }
            codecs[entity.index] = RowCodec(attributes, references: references)
        }
        names = ([entity] + entity.descendants).map { (Array($0.name.utf8), $0) }
        only = query.entityColumn == nil ? entity : nil
        onlyCodec = query.entityColumn == nil ? codecs[entity.index] : nil
    }

    /// The key of the current row.
    @inlinable
    @inline(__always)
    package func key(_ source: some RowSource) -> Int64 { source.integer(at: keyColumn) }

    /// The version of the current row.
    @inlinable
    @inline(__always)
    package func version(_ source: some RowSource) -> Int64 { versionColumn.map { source.integer(at: $0) } ?? 0 }

    /// The entity of the current row.
    @inlinable
    @inline(__always)
    package func entity(_ source: some RowSource) throws -> Entity { try only ?? namedEntity(source) }

    @usableFromInline
    func namedEntity(_ source: some RowSource) throws -> Entity {
        if let column = query.entityColumn {
            for (bytes, entity) in names where source.holds(bytes, at: column) { return entity }
        }
        return try query.entity(of: source)
    }

    /// Writes the values of the current row into `row`; a to-one relationship gets the key of its object.
    @inlinable
    @inline(__always)
    package func read(_ source: some RowSource, as entity: Entity, into row: Row) throws {
        if let codec = source.copyValues(codec(of: entity), into: row) { throw misfit(source, codec, entity) }
    }

    @usableFromInline
    func codec(of entity: Entity) -> RowCodec {
        guard let codec = onlyCodec ?? codecs[entity.index] else {
            preconditionFailure("the query is not for \(entity.name)")
        }
        return codec
    }

    /// The error for a value of another type, which must not be read as zero.
    @usableFromInline
    func misfit(_ source: some RowSource, _ codec: AttributeCodec, _ entity: Entity) -> StoreError {
        let name = "\(entity.name).\(entity.properties[codec.slot].name)"
        return StoreError(
            .damaged, store,
            "\(name) holds \(source.storage(at: codec.column)) in row \(key(source)), expected \(codec.kind.rawValue)",
            hint: "another program wrote it; correct that row")
    }
}
