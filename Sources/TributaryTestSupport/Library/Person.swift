public import TributaryGraph

/// The abstract parent entity of the library model: authors, readers, books, ordered series and friends.
open class Person: ManagedObject {
    @Attribute(.unique) package var id: Int
    @Attribute package var name: String?
    @Attribute package var isActive: Bool = true
    @Relationship(inverse: .itself) package var friends: ToMany<Person>
    /// Only the parent itself is abstract.
    open override class var isAbstractEntity: Bool { self == Person.self }
}
