/// The deletion of all objects of an entity that pass a filter, in the store itself.
///
///     let delete = BatchDelete(entity: "Book", where: "pages < \(10)")
///
/// The delete rules of the model hold as they do for objects: what cascades goes as well, what denies keeps everything
/// as it is, what points at a deleted object is set to nothing.
public struct BatchDelete: Sendable, Hashable {
    /// The name of the entity.
    public var entityName: String
    /// What the objects must pass; nil for all.
    public var filter: Filter?
    /// Whether objects of subentities count.
    public var includesSubentities = true
    /// The values of `$variables` in the filter.
    public var variables: [String: FilterValue] = [:]

    /// A deletion of objects of an entity.
    public init(entity name: String, where filter: Filter? = nil) {
        entityName = name
        self.filter = filter
    }
}
