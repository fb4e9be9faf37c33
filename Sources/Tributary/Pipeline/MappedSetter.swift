import TributaryGraph
import TributaryJSON

/// Sets the attributes of an object to the values that a row of it would have.
///
/// For entities with attributes that are computed when an object is saved: rows know nothing of that.
struct MappedSetter: Sendable {
    private struct Part: Sendable {
        let attribute: AttributeProperty
        let path: [String]
        let coercion: Coercion
    }

    private let parts: [Part]
    /// Which value goes where.
    let description: String

    /// For objects of an entity; the attributes of the key are set already.
    init(_ entity: Entity, key: ImportKey) {
        let names = Set(key.parts.map(\.attribute))
        parts = entity.attributes.filter { attribute in
            !attribute.isTransient && attribute.declaration.derivation == nil && !names.contains(attribute.name)
        }
        .map { Part(attribute: $0, path: RowMaker.path(of: $0), coercion: Coercion($0, isKey: false)) }
        description = parts.map { "\($0.attribute.name)=\($0.path.joined(separator: "."))" }.joined(separator: ",")
    }

    /// Whether an entity needs it.
    static func isNeeded(for entity: Entity) -> Bool {
        entity.attributes.contains { $0.declaration.derivation != nil }
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
