/// An index of a resolved entity.
public struct PropertyIndex: Sendable, Hashable {
    /// A part of an index.
    public struct Element: Sendable, Hashable {
        /// An attribute or a relationship to one.
        public let property: Property
        /// Whether the smallest comes first.
        public let isAscending: Bool
    }

    /// The name; nil for the index of an attribute that is declared as indexed.
    public let name: String?
    /// The parts, the most important one first.
    public let elements: [Element]
    /// The name of the entity that declares it.
    public let entityName: String
}
