import CTributarySQLite

extension SQLiteError {
    /// A result code of SQLite, the extended one where there is one.
    public struct Code: RawRepresentable, Sendable, Hashable {
        /// The number.
        public let rawValue: Int32

        /// The code of this number.
        public init(rawValue: Int32) { self.rawValue = rawValue }

        /// The kind without the details.
        public var primary: Code { Code(rawValue: rawValue & 0xFF) }

        /// Something in the statement.
        public static let error = Code(rawValue: SQLITE_ERROR)
        /// Another connection holds a lock.
        public static let busy = Code(rawValue: SQLITE_BUSY)
        /// The run was interrupted.
        public static let interrupted = Code(rawValue: SQLITE_INTERRUPT)
        /// The database may only be read.
        public static let readOnly = Code(rawValue: SQLITE_READONLY)
        /// Whoever wrote has died, and the database can be read when somebody has undone it who may write.
        public static let unfinishedWriting = Code(rawValue: SQLITE_READONLY | (3 << 8))
        /// The disk or the system failed.
        public static let inputOutput = Code(rawValue: SQLITE_IOERR)
        /// The file is damaged.
        public static let corrupt = Code(rawValue: SQLITE_CORRUPT)
        /// There is no room for what the connections of a log share.
        public static let noRoomToShare = Code(rawValue: SQLITE_IOERR | (19 << 8))
        /// The disk is full.
        public static let full = Code(rawValue: SQLITE_FULL)
        /// The file cannot be opened.
        public static let cannotOpen = Code(rawValue: SQLITE_CANTOPEN)
        /// The file is no database.
        public static let notADatabase = Code(rawValue: SQLITE_NOTADB)
        /// Something is larger than permitted.
        public static let tooBig = Code(rawValue: SQLITE_TOOBIG)
        /// A constraint does not hold.
        public static let constraint = Code(rawValue: SQLITE_CONSTRAINT)
        /// A value stands more than once where it must not.
        public static let uniqueConstraint = Code(rawValue: SQLITE_CONSTRAINT | (8 << 8))
        /// A reference leads nowhere.
        public static let foreignKeyConstraint = Code(rawValue: SQLITE_CONSTRAINT | (3 << 8))
        /// The layer was used in a way that cannot work.
        public static let misuse = Code(rawValue: SQLITE_MISUSE)

        var hint: String? {
            switch self == .noRoomToShare ? .full : primary {
            case .busy: "another connection holds the database; try again when it is done"
            case .full: "make room on the disk, then try again; nothing of this transaction was kept"
            case .inputOutput: "look whether the disk is well; what was committed before is kept"
            case .corrupt: "restore the file from a backup, or rescue what can be read with: sqlite3 FILE .recover"
            case .notADatabase: "choose another file; this one was not changed"
            case .readOnly: "open it for writing, or look at the permissions of the file and its folder"
            default: nil
            }
        }
    }
}
