/// Why a context cannot do what it was asked for.
public struct ContextError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What kind of trouble it is.
    public struct Code: Sendable, Hashable {
        private enum Kind {
            case unknownEntity, wrongClass, missing, foreignID, unknownProperty, derived, unstable, noDefault,
                notPrivate
        }
        private let kind: Kind

        /// The model has no such entity.
        public static let unknownEntity = Code(kind: .unknownEntity)
        /// Objects of the entity have another class.
        public static let wrongClass = Code(kind: .wrongClass)
        /// The object has no row.
        public static let missing = Code(kind: .missing)
        /// The id is of another store.
        public static let foreignID = Code(kind: .foreignID)
        /// The entity has no such property.
        public static let unknownProperty = Code(kind: .unknownProperty)
        /// The property is computed, and not set.
        public static let derived = Code(kind: .derived)
        /// `willSave` of an object changes something each time.
        public static let unstable = Code(kind: .unstable)
        /// The work is for private contexts only.
        public static let notPrivate = Code(kind: .notPrivate)
        /// There is no default manager.
        public static let noDefault = Code(kind: .noDefault)
    }

    /// What kind of trouble it is.
    public let code: Code
    /// What is wrong.
    public let reason: String
    /// How to go on.
    public let hint: String

    package init(_ code: Code, _ reason: String, hint: String) {
        self.code = code
        self.reason = reason
        self.hint = hint
    }

    /// The whole sentence.
    public var description: String { "\(reason); \(hint)" }
}
