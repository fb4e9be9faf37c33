/// Why a store cannot be opened or used.
public struct StoreError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What kind of trouble it is.
    public struct Code: Sendable, Hashable {
        private enum Kind { case foreign, incompatibleModel, damaged, missing, readOnly, inUse }
        private let kind: Kind

        /// The file belongs to another program.
        public static let foreign = Code(kind: .foreign)
        /// The store was made for another model.
        public static let incompatibleModel = Code(kind: .incompatibleModel)
        /// The file is damaged, or no database at all.
        public static let damaged = Code(kind: .damaged)
        /// There is nothing to be read.
        public static let missing = Code(kind: .missing)
        /// It was opened for reading only.
        public static let readOnly = Code(kind: .readOnly)
        /// It is open already, in a way that does not go together with this one.
        public static let inUse = Code(kind: .inUse)
    }

    /// What kind of trouble it is.
    public let code: Code
    /// The file.
    public let store: String
    /// What is wrong.
    public let reason: String
    /// How to go on.
    public let hint: String

    init(_ code: Code, _ store: String, _ reason: String, hint: String) {
        self.code = code
        self.store = store
        self.reason = reason
        self.hint = hint
    }

    /// The whole sentence: what, where, how to go on.
    public var description: String { "\(store): \(reason); \(hint)" }
}
