/// Why a request cannot be executed.
///
///     fetch: there is no entity Boook; the model has Author, Book
///
/// An error in a filter or a sort key is a `FilterError`.
public struct FetchError: Error, Sendable, Hashable {
    /// A stable name for a kind of failure.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        private let name: String
        private init(_ name: String) { self.name = name }

        /// The name, safe to store and compare.
        public var description: String { name }

        /// An entity that the model does not have.
        public static let entity = Code("fetch.entity")
        /// A property that the entity does not have.
        public static let key = Code("fetch.key")
        /// A duplicate or unknown column of a result, or more columns than SQLite supports.
        public static let column = Code("fetch.column")
        /// A to-many relationship where a single value is needed.
        public static let toMany = Code("fetch.to-many")
        /// A value that is not the same for all rows of a group.
        public static let group = Code("fetch.group")
        /// A limit or an offset below 0.
        public static let window = Code("fetch.window")
        /// A value that does not fit the property.
        public static let value = Code("fetch.value")
        /// A required property that would be left without a value.
        public static let required = Code("fetch.required")
        /// A deletion that the delete rule of a relationship denies.
        public static let denied = Code("fetch.denied")
        /// A request that the store cannot execute.
        public static let unsupported = Code("fetch.unsupported")
        /// A row with a value that the model does not allow.
        public static let damaged = Code("fetch.damaged")
    }

    /// The kind of failure.
    public let code: Code
    /// The reason as one sentence, with the names.
    public let reason: String

    package init(_ code: Code, _ reason: String) {
        self.code = code
        self.reason = reason
    }
}

extension FetchError: CustomStringConvertible {
    /// The reason after the prefix `fetch`.
    public var description: String { "fetch: \(reason)" }
}
