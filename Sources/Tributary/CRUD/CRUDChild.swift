/// A relationship whose objects are created, kept and deleted together with their parent.
///
/// The member of the parent's dictionary has the dictionaries of the children. Each gets the parent as a live object, under
/// the name of the inverse relationship, and its object is linked to the parent when it was created or updated. Children
/// that are no longer in the member stay linked, until they are removed as deprecated.
public struct CRUDChild: Sendable, Hashable {
    /// The name of the relationship.
    public let relationship: String
    /// The name of the member; nil if the class creates the children itself.
    public let member: String?

    /// A relationship whose member has the same name.
    public init(_ relationship: String) { self.init(relationship, from: relationship) }

    /// A relationship and the name of its member; nil if the class creates the children itself.
    public init(_ relationship: String, from member: String?) {
        (self.relationship, self.member) = (relationship, member)
    }
}
