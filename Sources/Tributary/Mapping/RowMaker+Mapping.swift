package import TributaryModel
import TributaryJSON

extension RowMaker: CustomStringConvertible {
    /// The entry of `userInfo` with the path of an attribute's value in a record.
    static let mappingEntry = "json"

    /// Rows of an entity, with the mapping of its model.
    ///
    /// - Throws: `ImportError` if the key is not valid, or the entity needs a setter.
    convenience init(_ entity: Entity, _ route: ImportRoute, _ stores: StoreSet) throws {
        let parts = try RowMaker.key(entity, route)
        let mapping = try RowMaker.mapping(of: entity, key: parts)
        let attributes = mapping.map(\.attribute)
        let key = try parts.map { part in
            guard let attribute = entity.attribute(named: part.attribute), attributes.contains(attribute) else {
                throw ImportError(
                    .route, "\(entity.name) has no attribute \(part.attribute) that can be a key",
                    hint: "it has \(attributes.map(\.name).shortList)")
            }
            return attribute
        }
        let table = BulkTable(entity, attributes: attributes, key: key, schema: stores.store(of: entity).schema)
        self.init(table, attributes: attributes, paths: mapping.map(\.path))
    }

    /// The attributes that a record sets without a closure, and the paths of their values.
    ///
    /// - Throws: `ImportError` if the entity has a required relationship, or the key is too long.
    static func mapping(
        of entity: Entity, key parts: [ImportKey.Part]
    ) throws -> [(attribute: AttributeProperty, path: [String])] {
        try ImportKey(parts: parts).checkLength()
        for relationship in entity.relationships where !relationship.isOptional {
            throw ImportError(
                .route, "\(entity.name).\(relationship.name) is required, and only a closure can set a relationship",
                hint: "import \(entity.name) with a closure")
        }
        return entity.attributes.filter { !$0.isTransient && $0.declaration.derivation == nil }.map { attribute in
            let declared = attribute.declaration.userInfo[mappingEntry]
            let path = parts.first { $0.attribute == attribute.name }.map(\.remote.path)
            return (attribute, path ?? declared.map { RemoteKey($0).path } ?? [attribute.name])
        }
    }

    /// The key of the route, or that of the model.
    static func key(_ entity: Entity, _ route: ImportRoute) throws -> [ImportKey.Part] {
        if route.isKeyless { return [] }
        if let key = route.key, !key.parts.isEmpty { return key.parts.map { mapped($0, entity) } }
        guard let key = try ImportKey.constraint(of: entity) else {
            throw ImportError(
                .route, "neither the route nor the model has a key for \(entity.name)", hint: "name the key")
        }
        return key.parts.map { mapped($0, entity) }
    }

    /// A part of a key with the path that the model declares, unless the caller has given a path.
    private static func mapped(_ part: ImportKey.Part, _ entity: Entity) -> ImportKey.Part {
        guard part.remote.path == [part.attribute],
            let declared = entity.attribute(named: part.attribute)?.declaration.userInfo[mappingEntry]
        else { return part }
        return ImportKey.Part(attribute: part.attribute, remote: RemoteKey(declared))
    }

    /// The mapping of attributes to members, as text.
    var description: String { RowMaker.text(zip(table.columns.map(\.attributeName), paths)) }

    /// A mapping as text; different mappings have different texts.
    static func text(_ mapping: some Sequence<(String, [String])>) -> String {
        mapping.map { "\($0)=\($1.joined(separator: "."))" }.joined(separator: ",")
    }
}

extension ImportKey {
    /// The uniqueness constraint of an entity; nil if it has none.
    ///
    /// - Throws: `ImportError` if it has several, or one that is not made of attributes.
    package static func constraint(of entity: Entity) throws(ImportError) -> ImportKey? {
        let constraints = entity.uniquenessConstraints
        guard constraints.count <= 1 else {
            let list = constraints.map { $0.properties.map(\.name).joined(separator: ",") }.joined(separator: " or ")
            throw ImportError(
                .route, "\(entity.name) has several uniqueness constraints, \(list)", hint: "name the key")
        }
        guard let properties = constraints.first?.properties else { return nil }
        if let other = properties.first(where: { $0.attribute == nil }) {
            throw ImportError(
                .route, "the uniqueness constraint of \(entity.name) contains \(other.name), which is not an attribute",
                hint: "name a key of attributes")
        }
        return ImportKey(properties.compactMap(\.attribute?.name))
    }
}
