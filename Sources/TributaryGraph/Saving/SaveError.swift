/// Why a save failed; nothing was written, and all changes are still pending.
public struct SaveError: Error, CustomStringConvertible {
    /// The kind of an error.
    public struct Code: Sendable, Hashable {
        private enum Kind { case validation, conflict, uniqueness, unstable }
        private let kind: Kind

        /// Values violate the rules of the model.
        public static let validation = Code(kind: .validation)
        /// Rows were changed by another context or process.
        public static let conflict = Code(kind: .conflict)
        /// Values that must be unique exist in other rows.
        public static let uniqueness = Code(kind: .uniqueness)
        /// `willSave` changes objects on every pass.
        public static let unstable = Code(kind: .unstable)
    }

    /// The kind of an error.
    public let code: Code
    /// The violated rules, for the code `validation`.
    public let faults: [ValidationError]
    /// The objects in conflict with rows of the store.
    public internal(set) var conflicts: [SaveConflict]
    private let reason: String

    init(_ code: Code, faults: [ValidationError] = [], conflicts: [SaveConflict] = [], reason: String = "") {
        self.code = code
        self.faults = faults
        self.conflicts = conflicts
        self.reason = reason
    }

    /// All faults and conflicts in one line, of which it lists at most ten.
    public var description: String {
        var lines = faults.map(\.description) + conflicts.map(\.description)
        if !reason.isEmpty { lines.append(reason) }
        let rest = lines.count - 10
        if rest > 0 { lines = lines.prefix(10) + ["and \(rest) more"] }
        return "nothing was saved: " + lines.joined(separator: "; ")
    }
}
