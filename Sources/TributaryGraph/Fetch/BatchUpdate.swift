/// Values to be written into all objects of an entity that pass a filter, in the store itself.
///
///     let update = BatchUpdate(
///         entity: "Book", set: ["price": .operation(.multiply, .keyPath(["price"]), .constant(2))],
///         where: "author.name == \("Ursula")")
///
/// Every value is computed from what was stored before the update. Rows that have the values already are left alone.
/// Types, references, what must have a value, and the bounds that the model sets to values are seen to; `validateForUpdate`
/// of a class is not, since no object is made.
public struct BatchUpdate: Sendable, Hashable {
    /// The name of the entity.
    public var entityName: String
    /// What attributes and relationships to one are set to; key paths in it begin at the object.
    public var values: [String: FilterExpression]
    /// What the objects must pass; nil for all.
    public var filter: Filter?
    /// Whether objects of subentities count.
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
