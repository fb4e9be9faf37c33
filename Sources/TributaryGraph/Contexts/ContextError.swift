/// Why a context cannot perform a call.
public struct ContextError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kind of an error.
    public struct Code: Sendable, Hashable {
        private enum Kind {
            case unknownEntity, wrongClass, missing, foreignID, unknownProperty, derived, unstable, noDefault,
                notPrivate, notUndoable
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
        /// The property is derived and cannot be set.
        public static let derived = Code(kind: .derived)
        /// `willSave` of an object makes changes on every call.
        public static let unstable = Code(kind: .unstable)
        /// The call is for private contexts only.
        public static let notPrivate = Code(kind: .notPrivate)
        /// The changes cannot be undone or redone now.
        public static let notUndoable = Code(kind: .notUndoable)
        /// There is no default manager.
        public static let noDefault = Code(kind: .noDefault)
    }

    /// The kind of an error.
    public let code: Code
    /// What happened.
    public let reason: String
    /// How to proceed.
    public let hint: String

    package init(_ code: Code, _ reason: String, hint: String) {
        self.code = code
        self.reason = reason
        self.hint = hint
    }

    /// The error for objects of an entity whose class is not the wanted one.
    package static func wrongClass(
        _ entity: Entity, _ found: ManagedObject.Type, not wanted: ManagedObject.Type
    ) -> ContextError {
        ContextError(
            .wrongClass, "objects of \(entity.name) have the class \(found), not \(wanted)",
            hint: "name the class in the model, or fetch ManagedObject")
    }

    /// The reason and the hint, in one sentence.
    public var description: String { "\(reason); \(hint)" }
}
