import TributaryGraph
import TributaryJSON

extension RowMaker: CustomStringConvertible {
    /// The entry of `userInfo` that says where an attribute's value stands in a record.
    static let mappingEntry = "json"

    /// Rows of an entity, whose attributes take the values that the model says.
    ///
    /// - Throws: `ImportError` if the key cannot be one, or the entity cannot be filled without objects.
    init(_ entity: Entity, _ route: ImportRoute, _ stores: StoreSet) throws {
        let attributes = entity.attributes.filter { !$0.isTransient && $0.declaration.derivation == nil }
        let parts = try RowMaker.key(entity, route)
        try route.key?.demandSize()
        let key = try parts.map { part in
            guard let attribute = entity.attribute(named: part.attribute), attributes.contains(attribute) else {
                throw ImportError(
                    .route, "\(entity.name) has no attribute \(part.attribute) that can be a key",
                    hint: "it has \(attributes.map(\.name).joined(separator: ", "))")
            }
            return attribute
        }
        for relationship in entity.relationships where !relationship.isOptional {
            throw ImportError(
                .route, "\(entity.name).\(relationship.name) must lead to an object, which no record can say",
                hint: "import \(entity.name) with a closure")
        }
        let table = BulkTable(entity, attributes: attributes, key: key, schema: stores.store(of: entity).schema)
        let paths = attributes.map { attribute in
            parts.first { $0.attribute == attribute.name }.map(\.remote.path) ?? RowMaker.path(of: attribute)
        }
        self.init(table, attributes: attributes, paths: paths)
    }

    /// Where the value of an attribute stands in a record, unless a key says something else.
    static func path(of attribute: AttributeProperty) -> [String] {
        attribute.declaration.userInfo[mappingEntry].map { RemoteKey($0).path } ?? [attribute.name]
    }

    /// The key of the route, or what the model says must be unique.
    static func key(_ entity: Entity, _ route: ImportRoute) throws -> [ImportKey.Part] {
        if route.isKeyless { return [] }
        if let key = route.key, !key.parts.isEmpty { return key.parts.map { mapped($0, entity) } }
        guard let key = try constraint(of: entity) else {
            throw ImportError(.route, "nothing tells one \(entity.name) from another", hint: "name the key")
        }
        return key.parts.map { mapped($0, entity) }
    }

    /// What the model says must be unique; nil if it says nothing.
    static func constraint(of entity: Entity) throws -> ImportKey? {
        let constraints = entity.uniquenessConstraints
        guard constraints.count <= 1 else {
            throw ImportError(.route, "\(entity.name) has several uniqueness constraints", hint: "name the key")
        }
        return constraints.first.map { ImportKey($0.properties.compactMap(\.attribute?.name)) }
    }

    /// A part of a key whose place is that of its attribute, unless the caller has said another one.
    private static func mapped(_ part: ImportKey.Part, _ entity: Entity) -> ImportKey.Part {
        guard part.remote.path == [part.attribute],
            let said = entity.attribute(named: part.attribute)?.declaration.userInfo[mappingEntry]
        else { return part }
        return ImportKey.Part(attribute: part.attribute, remote: RemoteKey(said))
    }

    /// Which value goes where.
    var description: String {
        zip(table.columns, paths).map { "\($0.attributeName)=\($1.joined(separator: "."))" }.joined(separator: ",")
    }
}
