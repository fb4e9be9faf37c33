/// The description of an index in a model.
public struct IndexDescription: Sendable, Hashable {
    /// A part of an index.
    public struct Element: Sendable, Hashable {
        /// The name of an attribute or a to-one relationship.
        public var property: String
        /// Whether the order is ascending.
        public var isAscending: Bool

        /// A part of an index, ascending by default.
        public init(_ property: String, isAscending: Bool = true) {
            self.property = property
            self.isAscending = isAscending
        }
    }

    /// The name.
    public var name: String
    /// The parts, the most significant one first.
    public var elements: [Element]

    /// An index with a name and parts.
    public init(_ name: String, _ elements: [Element]) {
        self.name = name
        self.elements = elements
    }
}
