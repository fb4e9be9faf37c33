import TributaryGraph
import TributaryJSON

/// Sets the attributes of an object to the values that its row would have.
///
/// For entities with derived attributes, which are computed when an object is saved, and not for rows.
struct MappedSetter: Sendable {
    private struct Part: Sendable {
        let attribute: AttributeProperty
        let path: [String]
        let coercion: Coercion
    }

    private let parts: [Part]
    /// The mapping of attributes to members, as text.
    let description: String

    /// A setter for objects of an entity, whose key attributes are set already.
    ///
    /// - Throws: `ImportError` if the entity has a required relationship.
    init(_ entity: Entity, key: ImportKey) throws {
        let names = Set(key.parts.map(\.attribute))
        let mapping = try RowMaker.mapping(of: entity, key: key.parts)
        parts = mapping.filter { !names.contains($0.attribute.name) }.map {
            Part(attribute: $0.attribute, path: $0.path, coercion: Coercion($0.attribute, isKey: false))
        }
        description = RowMaker.text(mapping.map { ($0.attribute.name, $0.path) })
    }

    /// Whether an entity has derived attributes.
    static func isNeeded(for entity: Entity) -> Bool {
        entity.attributes.contains { $0.declaration.derivation != nil }
    }

    /// The setter; derived attributes that are computed from other objects need the context.
    func importSetter(for entity: Entity) -> ImportSetter {
        entity.derivesFromOtherObjects
            ? .contextual { record, object, _ in try self(record, object) } : .isolated { try self($0, $1) }
    }

    func callAsFunction(_ record: Record, _ object: ManagedObject) throws {
        for part in parts {
            let value = part.path.reduce(record.value) { $0[$1] }
            if let failure = record.failure { throw failure }
            guard value.kind != .missing else { continue }
            let stored = try part.coercion.value(value)
            try object.setValue(part.attribute.filterValue(stored: stored), forKey: part.attribute.name)
        }
    }
}
