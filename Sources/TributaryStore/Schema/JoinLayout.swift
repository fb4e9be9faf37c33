/// The join table of a many-to-many relationship, or of a to-many relationship without an inverse.
///
/// Both sides share it; its name is that of the side whose name is first in byte order.
package struct JoinLayout: Sendable {
    package let relationship: RelationshipProperty

    /// The join tables of a model, each once.
    static func all(_ model: Model) -> [JoinLayout] {
        var joins: [JoinLayout] = []
        for entity in model.entities {
            for relationship in entity.relationships where relationship.entity == entity && relationship.isToMany {
                guard !relationship.isTransient, relationship.inverse?.isToMany ?? true else { continue }
                guard relationship.inverse.map({ isFirst(relationship, before: $0) }) ?? true else { continue }
                joins.append(JoinLayout(relationship: relationship))
            }
        }
        return joins
    }

    private static func isFirst(_ one: RelationshipProperty, before other: RelationshipProperty) -> Bool {
        guard one != other else { return true }
        return "\(one.entity.name).\(one.name)".utf8.lexicographicallyPrecedes(
            "\(other.entity.name).\(other.name)".utf8)
    }

    /// The name of the table.
    package var name: String { "_\(relationship.entity.name).\(relationship.name)" }
    /// The column of the source objects.
    package var source: String { "_source" }
    /// The column of the destination objects.
    package var target: String { "_target" }
    /// Whether the targets of a source have an order.
    package var hasTargetOrder: Bool { relationship.isOrdered }
    /// Whether the sources of a target have an order.
    package var hasSourceOrder: Bool { relationship.inverse.map { $0 != relationship && $0.isOrdered } ?? false }
    /// Whether foreign keys require that the rows of both objects exist.
    var isEnforced: Bool {
        guard let inverse = relationship.inverse else { return false }
        return relationship.deleteRule != .noAction && inverse.deleteRule != .noAction
    }
}
