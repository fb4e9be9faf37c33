import TributaryStore

/// A relationship with all that is needed to set it from a record.
package struct MappedRelation: Sendable {
    package let relationship: RelationshipProperty
    /// The members of its value; its aliases are those of a bare key too, such as `author_id`.
    package let members: MemberNames.Members
    /// The entity of its objects.
    let destination: Entity
    /// The attributes by which its objects are found or made; nil for their key.
    var finder: [String]?
    package let links: PropertyRule.Links
    package let policy: PropertyRule.Policy
    package let mismatch: Mapping.Mismatch
    package let newest: String?

    package var isToOne: Bool { !relationship.isToMany }
    package var name: String { relationship.name }
    /// The paths of its value; the first one with a value counts.
    var paths: [[String]] { members.paths }
}
