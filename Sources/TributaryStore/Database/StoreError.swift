import Foundation
import TributarySQLite

/// Why a store cannot be opened or used.
public struct StoreError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kind of the error.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        private enum Kind: String { case foreign, incompatibleModel, damaged, missing, readOnly, inUse, conflict }
        private let kind: Kind

        /// The name, as in `store.foreign`.
        public var description: String { "store.\(kind.rawValue)" }

        /// The file belongs to another program.
        public static let foreign = Code(kind: .foreign)
        /// The store was made for another model.
        public static let incompatibleModel = Code(kind: .incompatibleModel)
        /// The file is damaged, or not a database.
        public static let damaged = Code(kind: .damaged)
        /// The store does not exist, or was closed.
        public static let missing = Code(kind: .missing)
        /// The store was opened read-only.
        public static let readOnly = Code(kind: .readOnly)
        /// The store is already open in an incompatible way.
        public static let inUse = Code(kind: .inUse)
        /// Another program has changed the same rows meanwhile.
        public static let conflict = Code(kind: .conflict)
    }

    /// The kind of the error.
    public let code: Code
    /// The file, or the alias of the store.
    public let store: String
    /// The cause.
    public let reason: String
    /// A remedy.
    public let hint: String

    package init(_ code: Code, _ store: String, _ reason: String, hint: String) {
        self.code = code
        self.store = store
        self.reason = reason
        self.hint = hint
    }

    /// One line: store, cause, remedy.
    public var description: String { "\(store): \(reason); \(hint)" }
}

extension StoreError {
    /// Converts an error of SQLite to a `StoreError` if the store can name the cause.
    static func explaining(_ error: SQLiteError, at location: StoreLocation) -> any Error {
        if error.code.primary == .notADatabase {
            StoreError(
                .damaged, error.database, "it is not a database, or it is encrypted or damaged",
                hint: "choose another file; this one was not changed")
        } else if error.code.primary == .corrupt {
            StoreError(
                .damaged, error.database, "it is damaged (\(error.message))",
                hint: "restore it from a backup, or recover readable data with: sqlite3 FILE .recover")
        } else if case .sqlite(let path) = location {
            pathError(path) ?? error
        } else {
            error
        }
    }

    /// The error of a path at which no database can exist.
    private static func pathError(_ path: String) -> StoreError? {
        let type = try? FileManager.default.attributesOfItem(atPath: path)[.type] as? FileAttributeType
        if type == .typeDirectory { return StoreError(.foreign, path, "it is a folder", hint: "choose a file") }
        let folder = URL(filePath: path).deletingLastPathComponent().path
        guard type == nil, !FileManager.default.fileExists(atPath: folder) else { return nil }
        return StoreError(.missing, path, "there is no folder \(folder)", hint: "create it, or choose another path")
    }
}
