import TributaryStore
import TributaryJSON

/// The reason why an import cannot begin, or has failed.
public struct ImportError: Error, Sendable, Hashable, CustomStringConvertible {
    /// A stable name for a kind of failure.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        private let name: String
        private init(_ name: String) { self.name = name }

        /// The name.
        public var description: String { name }

        /// A route has an entity, attribute or key that cannot be used.
        public static let route = Code("import.route")
        /// A record was rejected, and the import stops at the first one.
        public static let rejected = Code("import.rejected")
        /// More records were rejected than `maxErrors` tolerates.
        public static let tooManyErrors = Code("import.errors")
        /// More rows are no longer in the feed of a sync than its limit allows to delete.
        public static let tooManyDeletions = Code("sync.deletions")
        /// The value of a derived attribute does not fit it, or is not unique.
        public static let derived = Code("import.derived")
        /// A setter has used more than its route allows.
        public static let setter = Code("import.setter")
        /// A source differs from the one that the unfinished import has read.
        public static let sourceChanged = Code("import.source")
        /// The same import is running already, in this process.
        public static let running = Code("import.running")
        /// A row of the journal cannot be read.
        public static let journal = Code("import.journal")
        /// The file of rejects cannot be written, or holds other lines than rejects of the store.
        public static let rejectsFile = Code("import.rejects")
        /// The file of changes cannot be written.
        public static let changesFile = Code("import.changes")
        /// A run cannot be undone.
        public static let undo = Code("import.undo")
        /// The counts do not add up, which is an internal error.
        public static let books = Code("import.books")
        /// An operation that this one depends on has not succeeded.
        public static let dependency = Code("import.dependency")
        /// A function was called where it cannot work, such as on the main queue.
        public static let misuse = Code("import.misuse")
    }

    /// The kind.
    public let code: Code
    /// What happened.
    public let reason: String
    /// How to continue, in terms of the API of the library.
    public let hint: String?
    /// The hint as a value, for programs with other words for it; nil if there is only a text.
    public let remedy: ImportRemedy?
    /// The error of the record that has ended the import, if one has.
    public let cause: JSONError?

    /// An error with a hint.
    public init(_ code: Code, _ reason: String, hint: String? = nil) {
        self.code = code
        self.reason = reason
        self.hint = hint
        (remedy, cause) = (nil, nil)
    }

    /// An error with a remedy.
    public init(_ code: Code, _ reason: String, remedy: ImportRemedy) {
        self.init(code, reason, remedy: remedy, cause: nil)
    }

    private init(_ code: Code, _ reason: String, remedy: ImportRemedy, cause: JSONError?) {
        self.code = code
        self.reason = reason
        hint = "\(remedy)"
        (self.remedy, self.cause) = (remedy, cause)
    }

    /// The error for a record that ends the import.
    package static func rejected(_ error: JSONError) -> ImportError {
        // If the first record lacks the key, so do the others, as a rule.
        let isKeyWrong = error.code == .keyMissing && error.record == 1
        return ImportError(.rejected, "\(error)", remedy: isKeyWrong ? .checkKey : .quarantine, cause: error)
    }

    /// The error for a name that no entity of a model has.
    static func unknownEntity(_ name: String, in model: Model) -> ImportError {
        let known = model.entities.map(\.name)
        return ImportError(
            .route, "the model has no entity \(name)", hint: known.isEmpty ? nil : "it has \(known.shortList)")
    }

    /// The error for a mode that needs keys, and an entity whose records have none.
    package static func missingKey(of entity: String, _ mode: ImportMode) -> ImportError {
        ImportError(
            .route, "the mode \(mode.rawValue) needs a key, and each record of \(entity) would be a new row",
            hint: "name a key, or use the mode upsert or insert")
    }

    /// The reason and the hint.
    public var description: String { hint.map { "\(reason); \($0)" } ?? reason }
}
