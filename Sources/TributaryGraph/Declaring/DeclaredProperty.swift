/// A property wrapper that knows its slot: an attribute or a relationship.
protocol DeclaredProperty {
    var slot: UInt16 { get }
}

extension Attribute: DeclaredProperty {}

extension Relationship: DeclaredProperty {}
