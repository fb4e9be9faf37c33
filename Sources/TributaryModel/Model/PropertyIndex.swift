/// An index of a resolved entity.
public struct PropertyIndex: Sendable, Hashable {
    /// A part of an index.
    public struct Element: Sendable, Hashable {
        /// An attribute or a to-one relationship.
        public let property: Property
        /// Whether the order is ascending.
        public let isAscending: Bool
    }

    /// The name; nil for the index of an attribute that is declared as indexed.
    public let name: String?
    /// The parts, the most significant one first.
    public let elements: [Element]
    /// The name of the entity that declares it.
    public let entityName: String
}
