/// Why a save was refused; nothing was written, and all changes are still there.
public struct SaveError: Error, CustomStringConvertible {
    /// What kind of trouble it is.
    public struct Code: Sendable, Hashable {
        private enum Kind { case validation, conflict, uniqueness, unstable }
        private let kind: Kind

        /// Values that the model does not allow.
        public static let validation = Code(kind: .validation)
        /// Rows that somebody else has changed meanwhile.
        public static let conflict = Code(kind: .conflict)
        /// Values that must be unique and are taken.
        public static let uniqueness = Code(kind: .uniqueness)
        /// Objects that change again in each `willSave`.
        public static let unstable = Code(kind: .unstable)
    }

    /// What kind of trouble it is.
    public let code: Code
    /// What is wrong with objects, if it is their values.
    public let faults: [ValidationError]
    /// The rows that are in dispute.
    public internal(set) var conflicts: [SaveConflict]
    private let reason: String

    init(_ code: Code, faults: [ValidationError] = [], conflicts: [SaveConflict] = [], reason: String = "") {
        self.code = code
        self.faults = faults
        self.conflicts = conflicts
        self.reason = reason
    }

    /// The whole story, a line for each fault.
    public var description: String {
        var lines = faults.map(\.description) + conflicts.map(\.description)
        if !reason.isEmpty { lines.append(reason) }
        let rest = lines.count - 10
        if rest > 0 { lines = lines.prefix(10) + ["and \(rest) more"] }
        return "nothing was saved: " + lines.joined(separator: "; ")
    }
}
