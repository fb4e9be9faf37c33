/// An index as a model states it.
public struct IndexDescription: Sendable, Hashable {
    /// A part of an index.
    public struct Element: Sendable, Hashable {
        /// An attribute or a relationship to one.
        public var property: String
        /// Whether the smallest comes first.
        public var isAscending: Bool

        /// A part, the smallest first unless told otherwise.
        public init(_ property: String, isAscending: Bool = true) {
            self.property = property
            self.isAscending = isAscending
        }
    }

    /// The name.
    public var name: String
    /// The parts, the most important one first.
    public var elements: [Element]

    /// An index.
    public init(_ name: String, _ elements: [Element]) {
        self.name = name
        self.elements = elements
    }
}
