/// Why a request cannot be executed.
///
///     fetch: there is no entity Boook; the model has Author, Book
///
/// What is wrong with a filter or a sort key is a ``FilterError``.
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
        /// A column that stands twice, or is one too many.
        public static let column = Code(.column)
        /// A relationship to many where a single value is needed.
        public static let toMany = Code(.toMany)
        /// A value that is not the same for all rows of a group.
        public static let group = Code(.group)
        /// A limit or an offset below 0.
        public static let window = Code(.window)
        /// A value that the property cannot have.
        public static let value = Code(.value)
        /// A property that would be left without the value it must have.
        public static let required = Code(.required)
        /// Objects that a relationship keeps from being deleted.
        public static let denied = Code(.denied)
        /// What the store cannot do.
        public static let unsupported = Code(.unsupported)
        /// A row that holds what the model does not allow.
        public static let damaged = Code(.damaged)
    }

    /// What kind of failure it is.
    public let code: Code
    /// One sentence for a person, with the names.
    public let reason: String

    init(_ code: Code, _ reason: String) {
        self.code = code
        self.reason = reason
    }
}

extension FetchError: CustomStringConvertible {
    /// The sentence.
    public var description: String { "fetch: \(reason)" }
}
