import Foundation

/// The name of a relation in the table of waiting references: the relationship, and the key of its objects.
///
///     ["Book","author","Author","id"]
package struct RelationName: Sendable, Hashable {
    package let entity: String
    package let relationship: String
    package let destination: String
    package let key: [String]

    /// The relation of a relationship to objects with a key.
    package init(_ relationship: RelationshipProperty, to destination: Entity, key: [String]) {
        self.init(relationship.entity.name, relationship.name, destination.name, key)
    }

    private init(_ entity: String, _ relationship: String, _ destination: String, _ key: [String]) {
        (self.entity, self.relationship, self.destination, self.key) = (entity, relationship, destination, key)
    }

    /// The name whose text this is; nil if it is none.
    package init?(_ text: String) {
        guard let names = try? JSONDecoder().decode([String].self, from: Data(text.utf8)), names.count > 3 else {
            return nil
        }
        self.init(names[0], names[1], names[2], Array(names[3...]))
    }

    /// The name as text.
    package var text: String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .withoutEscapingSlashes
        do {
            return String(decoding: try encoder.encode([entity, relationship, destination] + key), as: UTF8.self)
        } catch {
            fatalError("internal error: names cannot be encoded: \(error)")
        }
    }

    /// The name in a later model; nil if the relationship or a part of the key was removed.
    func renamed(by match: ModelMatch) -> RelationName? {
        guard let earlier = match.source[entity], let old = earlier[relationship],
            let target = match.source[destination], let later = match.destination(of: earlier),
            let laterTarget = match.destination(of: target),
            let property = match.destinations(of: old, in: later).first
        else { return nil }
        let laterKey = key.compactMap { name in
            target[name].flatMap { match.destinations(of: $0, in: laterTarget).first?.name }
        }
        guard laterKey.count == key.count else { return nil }
        return RelationName(later.name, property.name, laterTarget.name, laterKey)
    }
}
