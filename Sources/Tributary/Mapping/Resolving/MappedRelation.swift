import TributaryStore

/// A relationship with all that is needed to set it from a record.
struct MappedRelation: Sendable {
    let relationship: RelationshipProperty
    /// The members of its value; its aliases are those of a bare key too, such as `author_id`.
    let members: MemberNames.Members
    /// The entity of its objects.
    let destination: Entity
    /// The attributes by which its objects are found or made; nil for their key.
    var finder: [String]?
    let links: PropertyRule.Links
    let policy: PropertyRule.Policy
    let mismatch: Mapping.Mismatch
    let newest: String?

    var isToOne: Bool { !relationship.isToMany }
    var name: String { relationship.name }
    /// The paths of its value; the first one with a value counts.
    var paths: [[String]] { members.paths }
}
