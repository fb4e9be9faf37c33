import Foundation
import TributaryGraph

/// The name of a relation in the table of waiting references: the relationship, and the key of its objects.
///
///     ["Book","author","Author","id"]
package struct RelationName: Sendable, Hashable {
    package let entity: String
    package let relationship: String
    package let destination: String
    package let key: [String]

    init(_ relationship: RelationshipProperty, _ target: EntityMapping) {
        entity = relationship.entity.name
        self.relationship = relationship.name
        destination = target.entity.name
        key = target.key.map(\.name)
    }

    /// The name whose text this is; nil if it is none.
    package init?(_ text: String) {
        guard let names = try? JSONDecoder().decode([String].self, from: Data(text.utf8)), names.count > 3 else {
            return nil
        }
        (entity, relationship, destination) = (names[0], names[1], names[2])
        key = Array(names[3...])
    }

    /// The name as text.
    package var text: String { StoredJSON.text([entity, relationship, destination] + key) }
}
