/// An update of all objects of an entity that match a filter, executed in the store itself.
///
///     let update = BatchUpdate(
///         entity: "Book", set: ["price": .operation(.multiply, .keyPath(["price"]), .constant(2))],
///         where: "author.name == \("Ursula")")
///
/// Every value is computed from the stored values before the update. Rows that already have the values are not written.
/// Types, references, required properties and the bounds of the model are checked. `validateForUpdate` of a class is
/// not called, since no object is created.
public struct BatchUpdate: Sendable, Hashable {
    /// The name of the entity.
    public var entityName: String
    /// The new values of attributes and to-one relationships; key paths in them begin at the object.
    public var values: [String: FilterExpression]
    /// The condition for the objects; nil matches all.
    public var filter: Filter?
    /// Whether objects of subentities are included.
    public var includesSubentities = true
    /// The values of `$variables` in the filter and in the values.
    public var variables: [String: FilterValue] = [:]

    /// An update of the objects of an entity.
    public init(entity name: String, set values: [String: FilterExpression], where filter: Filter? = nil) {
        entityName = name
        self.values = values
        self.filter = filter
    }
}
