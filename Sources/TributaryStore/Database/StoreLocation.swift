import Foundation

/// The location of a store.
public enum StoreLocation: Sendable, Hashable {
    /// A SQLite file, which is created if it does not exist.
    case sqlite(String)
    /// Memory, until the store is closed.
    case memory
}

extension StoreLocation {
    /// The path with symbolic links resolved, so that each file has one path; nil for memory.
    package var resolvedPath: String? {
        guard case .sqlite(let path) = self else { return nil }
        return URL(filePath: path).standardizedFileURL.resolvingSymlinksInPath().path(percentEncoded: false)
    }
}
