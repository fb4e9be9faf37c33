/// A deletion of all objects of an entity that match a filter, executed in the store itself.
///
///     let delete = BatchDelete(entity: "Book", where: "pages < \(10)")
///
/// The delete rules of the model apply as they do to objects: a cascade deletes the related objects too, a denial
/// leaves everything unchanged, and references to a deleted object become nil.
public struct BatchDelete: Sendable, Hashable {
    /// The name of the entity.
    public var entityName: String
    /// The condition for the objects; nil matches all.
    public var filter: Filter?
    /// Whether objects of subentities are included.
    public var includesSubentities = true
    /// The values of `$variables` in the filter.
    public var variables: [String: FilterValue] = [:]

    /// A deletion of objects of an entity.
    public init(entity name: String, where filter: Filter? = nil) {
        entityName = name
        self.filter = filter
    }
}
