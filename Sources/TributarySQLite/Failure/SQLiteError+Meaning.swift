/// The meaning of result codes, for callers that handle an error.
extension SQLiteError {
    /// Whether another connection has locked the database.
    package var isBusy: Bool { code.primary == .busy }

    /// Whether a row would repeat the values of a unique constraint.
    package var isUniqueViolation: Bool { code == .uniqueConstraint }

    /// Whether a constraint or a trigger of a table refuses a row.
    package var isRefusal: Bool { code.primary == .constraint || code.primary == .mismatch }

    /// Whether a reference refers to a missing row.
    package var isReferenceViolation: Bool { code == .foreignKeyConstraint }

    /// Whether a crashed process left a transaction that only a connection that can write can roll back.
    package var needsRollback: Bool { code == .unfinishedWriting }

    /// Whether the file is damaged.
    package var isCorruption: Bool { code.primary == .corrupt }

    /// Whether the file is not a database.
    package var isNotADatabase: Bool { code.primary == .notADatabase }
}
