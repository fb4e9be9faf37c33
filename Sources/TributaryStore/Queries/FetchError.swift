/// Why a request cannot be executed.
///
///     fetch: there is no entity Boook; the model has Author, Book
///
/// An error in a filter or a sort key is a ``FilterError``.
public struct FetchError: Error, Sendable, Hashable {
    /// A stable name for a kind of failure.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        private enum Kind: String {
            case entity = "fetch.entity"
            case key = "fetch.key"
            case column = "fetch.column"
            case toMany = "fetch.to-many"
            case group = "fetch.group"
            case window = "fetch.window"
            case value = "fetch.value"
            case required = "fetch.required"
            case denied = "fetch.denied"
            case unsupported = "fetch.unsupported"
            case damaged = "fetch.damaged"
        }
        private let kind: Kind
        private init(_ kind: Kind) { self.kind = kind }

        /// The name, safe to store and compare.
        public var description: String { kind.rawValue }

        /// An entity that the model does not have.
        public static let entity = Code(.entity)
        /// A property that the entity does not have.
        public static let key = Code(.key)
        /// A duplicate or unknown column of a result, or more columns than SQLite supports.
        public static let column = Code(.column)
        /// A to-many relationship where a single value is needed.
        public static let toMany = Code(.toMany)
        /// A value that is not the same for all rows of a group.
        public static let group = Code(.group)
        /// A limit or an offset below 0.
        public static let window = Code(.window)
        /// A value that does not fit the property.
        public static let value = Code(.value)
        /// A required property that would be left without a value.
        public static let required = Code(.required)
        /// A deletion that the delete rule of a relationship denies.
        public static let denied = Code(.denied)
        /// A request that the store cannot execute.
        public static let unsupported = Code(.unsupported)
        /// A row with a value that the model does not allow.
        public static let damaged = Code(.damaged)
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
