package import TributaryStore

/// Where the objects of seeds are made: rows of a store, or objects of a context.
package protocol SeedGround: AnyObject {
    /// An object in memory.
    associatedtype Object
    /// The name of an object that was saved and removed from memory.
    associatedtype ID

    /// The model.
    var model: Model { get }
    /// The numbers for `"<uniqueID>"`.
    var numbers: UniqueIDGenerator { get }

    /// Makes an object of an entity, with its default values.
    func insert(_ entity: Entity) throws -> Object
    /// The entity of an object.
    func entity(of object: Object) -> Entity
    /// Sets an attribute of an object that is not saved yet.
    ///
    /// - Throws: `AttributeError` if the value does not fit.
    func set(_ attribute: AttributeProperty, of object: Object, to value: FilterValue) throws
    /// Sets a to-one relationship of an object that is not saved yet, and its inverse.
    func set(_ relationship: RelationshipProperty, of object: Object, to other: Object?)
    /// Adds objects after those that a to-many relationship of an object that is not saved yet has, and their inverses.
    func add(_ others: [Object], to relationship: RelationshipProperty, of object: Object)

    /// The greatest number below `end` that an object has for an attribute; nil if there is none.
    func greatest(_ attribute: AttributeProperty, below end: Int64) throws -> Int64?
    /// Whether an object has a text for an attribute.
    func contains(_ text: String, in attribute: AttributeProperty) throws -> Bool

    /// Saves all objects and removes them from memory; returns the names of some of them.
    func save(naming objects: [Object]) throws -> [ID]
    /// The object with a name.
    func object(with id: ID) -> Object
}
