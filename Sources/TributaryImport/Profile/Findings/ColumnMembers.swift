import TributaryModel
import TributaryStore

/// The members of records from which the columns of a table were imported, as the model in its database tells.
package struct ColumnMembers: Sendable {
    /// For each attribute the paths of its values in a record.
    let attributes: [(name: String, paths: [[String]])]
    /// The members that are links to rows of other tables, and the names of these links.
    let links: Set<String>

    /// Reads what is known of a table; nil if another program made it.
    package init?(of table: String, in path: String) throws {
        guard let stored = try StoredModel.read(at: path) else { return nil }
        let model = try Model(stored)
        guard let entity = model[table] else { return nil }
        let mapping = try MappingResolver(Mappings()).resolve(entity, isKeyless: true)
        // Columns whose type was inferred have the names of their members.
        attributes = mapping.attributes.filter { $0.attribute.type != .undefined }
            .map { ($0.name, $0.members.sources.filter { !$0.isEmpty }) }
        links = Set(
            entity.relationships.map(\.name) + mapping.relations.flatMap { $0.members.sources.compactMap(\.first) })
    }
}
