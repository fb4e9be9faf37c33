import TributaryGraph
import TributaryJSON
import TributarySQLite

/// Sets the attributes of an object to the values that its row would have.
///
/// For entities with derived attributes, which are computed when an object is saved, and not for rows.
struct MappedSetter: Sendable {
    private let attributes: [MappedAttribute]

    /// A setter for objects of an entity, whose key attributes are set already.
    ///
    /// - Throws: `ImportError` if the entity has a required relationship.
    init(_ mapping: EntityMapping) throws {
        try mapping.checkRelationships()
        for mapped in mapping.attributes {
            guard mapped.policy == .feed, mapped.newest == nil, mapped.defaultValue == nil, mapped.mismatch == .reject
            else {
                throw ImportError(
                    .route,
                    "\(mapping.entity.name) has derived attributes, so the rule of \(mapped.name) can have paths, dates and conversion only",
                    hint: "remove default, policy, newest and mismatch, or import with a closure")
            }
        }
        attributes = mapping.attributes.filter { !$0.isKey }
    }

    /// The setter; derived attributes that are computed from other objects need the context.
    func importSetter(for entity: Entity) -> ImportSetter {
        entity.derivesFromOtherObjects
            ? .contextual { record, object, _ in try self(record, object) } : .isolated { try self($0, $1) }
    }

    func callAsFunction(_ record: Record, _ object: ManagedObject) throws {
        for mapped in attributes {
            let value = mapped.value(in: record.value)
            if let failure = record.failure { throw failure }
            guard value.kind != .missing else { continue }
            var stored = try mapped.coercion.value(value)
            if stored == .null, !mapped.attribute.isOptional { stored = mapped.coercion.valueForNull ?? .null }
            try object.setValue(mapped.attribute.filterValue(stored: stored), forKey: mapped.name)
        }
    }
}

extension MappedAttribute {
    /// The value in a record: that of the first path or name that has one.
    fileprivate func value(in object: JSON) -> JSON {
        var value = object
        for path in paths + aliases.map({ [$0] }) {
            value = path.reduce(object) { $0[$1] }
            if value.kind != .missing { return value }
        }
        return value
    }
}
