import CTributarySQLite

extension SQLiteError {
    /// A result code of SQLite, extended if possible.
    public struct Code: RawRepresentable, Sendable, Hashable {
        /// The number.
        public let rawValue: Int32

        /// The code of this number.
        public init(rawValue: Int32) { self.rawValue = rawValue }

        /// The primary code of an extended code.
        public var primary: Code { Code(rawValue: rawValue & 0xFF) }

        /// The statement is invalid.
        public static let error = Code(rawValue: SQLITE_ERROR)
        /// Another connection holds a lock.
        public static let busy = Code(rawValue: SQLITE_BUSY)
        /// The statement was interrupted.
        public static let interrupted = Code(rawValue: SQLITE_INTERRUPT)
        /// The database is read-only.
        public static let readOnly = Code(rawValue: SQLITE_READONLY)
        /// The writing process crashed; a connection that can write must open the database first, to roll back.
        public static let unfinishedWriting = Code(rawValue: SQLITE_READONLY | (3 << 8))
        /// The disk or the system failed.
        public static let inputOutput = Code(rawValue: SQLITE_IOERR)
        /// The file is damaged.
        public static let corrupt = Code(rawValue: SQLITE_CORRUPT)
        /// The shared memory of the write-ahead log cannot grow, because the disk is full.
        public static let sharedMemoryFull = Code(rawValue: SQLITE_IOERR | (19 << 8))
        /// The disk is full.
        public static let full = Code(rawValue: SQLITE_FULL)
        /// The file cannot be opened.
        public static let cannotOpen = Code(rawValue: SQLITE_CANTOPEN)
        /// The file is not a database.
        public static let notADatabase = Code(rawValue: SQLITE_NOTADB)
        /// A value or a statement exceeds its size limit.
        public static let tooBig = Code(rawValue: SQLITE_TOOBIG)
        /// A constraint is violated.
        public static let constraint = Code(rawValue: SQLITE_CONSTRAINT)
        /// A column cannot have a value of this type.
        public static let mismatch = Code(rawValue: SQLITE_MISMATCH)
        /// A unique constraint is violated.
        public static let uniqueConstraint = Code(rawValue: SQLITE_CONSTRAINT | (8 << 8))
        /// A reference refers to a missing row.
        public static let foreignKeyConstraint = Code(rawValue: SQLITE_CONSTRAINT | (3 << 8))
        /// The API was used incorrectly.
        public static let misuse = Code(rawValue: SQLITE_MISUSE)

        var hint: String? {
            switch self == .sharedMemoryFull ? .full : primary {
            case .busy: "another connection has locked the database; try again later"
            case .full: "free disk space, then try again; this transaction was rolled back"
            case .inputOutput: "check the disk; everything committed before is kept"
            case .corrupt: "restore the file from a backup, or recover readable data with: sqlite3 FILE .recover"
            case .notADatabase: "choose another file; this one was not changed"
            case .readOnly: "open it for writing, or check the permissions of the file and its folder"
            default: nil
            }
        }
    }
}
