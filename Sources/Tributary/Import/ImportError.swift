import TributaryGraph
import TributaryJSON

/// Why an import cannot begin, or could not be finished.
public struct ImportError: Error, Sendable, Hashable, CustomStringConvertible {
    /// A stable name for a kind of failure.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        private let name: String
        private init(_ name: String) { self.name = name }

        /// The name.
        public var description: String { name }

        /// A route names an entity, attribute or key that cannot be used.
        public static let route = Code("import.route")
        /// A record was refused, and the import stops at the first one.
        public static let rejected = Code("import.rejected")
        /// More records were refused than are borne.
        public static let tooManyErrors = Code("import.errors")
        /// The counts do not add up, which is a mistake of this library.
        public static let books = Code("import.books")
        /// An operation that it depends on has not succeeded.
        public static let dependency = Code("import.dependency")
        /// A setter has used more than it may.
        public static let setter = Code("import.setter")
        /// It was called in a place where it cannot work.
        public static let misuse = Code("import.misuse")
    }

    /// The kind.
    public let code: Code
    /// What is wrong.
    public let reason: String
    /// What can be done.
    public let hint: String?

    /// The way out where one bad record ends an import.
    static let quarantine = "fix the record, or set onError to .quarantine"

    /// A setter, or a hook of its object, has used more than `scope` allows.
    static func setterNeedsContext(_ entity: Entity, _ record: Record?, _ scope: StoreAccess.Scope?) -> ImportError {
        let place = record.map { " at record \($0.number) (\($0.position))" } ?? ""
        if scope == .context {
            return ImportError(
                .setter, "the setter for \(entity.name) has saved, or written through another context,\(place)",
                hint: "change objects through the context it is given; the import saves them")
        }
        return ImportError(
            .setter,
            "the setter for \(entity.name) has used more than its record and the attributes of its object\(place)",
            hint: "take the context as a third argument")
    }

    /// An error with a way out.
    public init(_ code: Code, _ reason: String, hint: String? = nil) {
        self.code = code
        self.reason = reason
        self.hint = hint
    }

    /// What is wrong, and what can be done.
    public var description: String { hint.map { "\(reason); \($0)" } ?? reason }
}
