package import TributaryModel
import TributaryJSON

extension RowMaker: CustomStringConvertible {
    /// Rows of an entity, with its mapping.
    convenience init(_ mapping: EntityMapping, _ schema: Schema) throws {
        try mapping.checkRelationships()
        let table = BulkTable(
            mapping.entity, attributes: mapping.attributes.map(\.attribute), key: mapping.key,
            rules: mapping.columnRules, schema: schema)
        self.init(table, mapping)
    }

    /// The mapping as text, to identify the import.
    var description: String { "\(mapping.entity.name): \(mapping.description)" }
}

extension EntityMapping {
    /// Throws if the entity has a required relationship, which rows without relationships cannot satisfy.
    package func checkRelationships() throws {
        for relationship in entity.relationships where !relationship.isOptional {
            throw ImportError(
                .route, "\(entity.name).\(relationship.name) is required, and only a closure can set a relationship",
                hint: "import \(entity.name) with a closure")
        }
    }

    /// How its key is read from records.
    func recordKey() throws -> RecordKey {
        let sources = Dictionary(attributes.filter(\.isKey).map { ($0.name, $0.members.sources) }) { $1 }
        return try RecordKey(ImportKey(key.map(\.name)), of: entity, sources: sources)
    }

    /// The rules of columns that have any, by the names of attributes.
    var columnRules: [String: BulkTable.ColumnRule] {
        var rules: [String: BulkTable.ColumnRule] = [:]
        for mapped in attributes {
            let rule = BulkTable.ColumnRule(
                defaultValue: mapped.defaultValue, isSetOnce: mapped.policy == .program,
                isKept: mapped.policy == .keepMissing || mapped.policy == .keepNull, newest: mapped.newest)
            if rule != BulkTable.ColumnRule() { rules[mapped.name] = rule }
        }
        for relation in relations {
            let rule = BulkTable.ColumnRule(isSetOnce: relation.policy == .program, newest: relation.newest)
            if rule != BulkTable.ColumnRule() { rules[relation.name] = rule }
        }
        return rules
    }
}

extension ImportKey {
    /// The uniqueness constraint of an entity; nil if it has none.
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
