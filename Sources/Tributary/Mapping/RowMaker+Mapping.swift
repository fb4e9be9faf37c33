import TributaryGraph
import TributaryJSON

extension RowMaker: CustomStringConvertible {
    /// The entry of `userInfo` that says where an attribute's value stands in a record.
    static let mappingEntry = "json"

    /// Rows of an entity, whose attributes take the values that the model says.
    ///
    /// - Throws: `ImportError` if the key cannot be one, or the entity cannot be filled without objects.
    convenience init(_ entity: Entity, _ route: ImportRoute, _ stores: StoreSet) throws {
        let parts = try RowMaker.key(entity, route)
        let mapping = try RowMaker.mapping(of: entity, key: parts)
        let attributes = mapping.map(\.attribute)
        let key = try parts.map { part in
            guard let attribute = entity.attribute(named: part.attribute), attributes.contains(attribute) else {
                throw ImportError(
                    .route, "\(entity.name) has no attribute \(part.attribute) that can be a key",
                    hint: "it has \(attributes.map(\.name).joined(separator: ", "))")
            }
            return attribute
        }
        let table = BulkTable(entity, attributes: attributes, key: key, schema: stores.store(of: entity).schema)
        self.init(table, attributes: attributes, paths: mapping.map(\.path))
    }

    /// The attributes that a record fills without a closure, and where their values stand in it.
    ///
    /// - Throws: `ImportError` if a record cannot say all that an object must have, or the key is too long.
    static func mapping(
        of entity: Entity, key parts: [ImportKey.Part]
    ) throws -> [(attribute: AttributeProperty, path: [String])] {
        try ImportKey(parts: parts).demandSize()
        for relationship in entity.relationships where !relationship.isOptional {
            throw ImportError(
                .route, "\(entity.name).\(relationship.name) must lead to an object, which no record can say",
                hint: "import \(entity.name) with a closure")
        }
        return entity.attributes.filter { !$0.isTransient && $0.declaration.derivation == nil }.map { attribute in
            let said = attribute.declaration.userInfo[mappingEntry]
            let path = parts.first { $0.attribute == attribute.name }.map(\.remote.path)
            return (attribute, path ?? said.map { RemoteKey($0).path } ?? [attribute.name])
        }
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
        guard let properties = constraints.first?.properties else { return nil }
        if let other = properties.first(where: { $0.attribute == nil }) {
            throw ImportError(
                .route, "\(entity.name) is told from others by \(other.name) as well, which is no attribute",
                hint: "name a key of attributes")
        }
        return ImportKey(properties.compactMap(\.attribute?.name))
    }

    /// A part of a key whose place is that of its attribute, unless the caller has said another one.
    private static func mapped(_ part: ImportKey.Part, _ entity: Entity) -> ImportKey.Part {
        guard part.remote.path == [part.attribute],
            let said = entity.attribute(named: part.attribute)?.declaration.userInfo[mappingEntry]
        else { return part }
        return ImportKey.Part(attribute: part.attribute, remote: RemoteKey(said))
    }

    /// Which value goes where.
    var description: String { RowMaker.text(zip(table.columns.map(\.attributeName), paths)) }

    /// A mapping as one text, different for different ones.
    static func text(_ mapping: some Sequence<(String, [String])>) -> String {
        mapping.map { "\($0)=\($1.joined(separator: "."))" }.joined(separator: ",")
    }
}
