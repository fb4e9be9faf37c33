import TributaryJSON

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Paths and what they name.
package enum FilePlace {
    /// The files that a database is made of.
    package static func database(_ path: String) -> [(name: String, path: String)] {
        [("the database", path)]
            + ["-wal", "-shm", "-journal", "-writer"].map { ("part of the database", path + $0) }
    }

    /// The folder of a file.
    static func folder(of path: String) -> String {
        guard let slash = lastSlash(of: path) else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// Whether two paths name one file, whatever way leads to it, and whether it exists or not.
    static func areSame(_ one: String, _ other: String) -> Bool {
        if let node = node(one) { return node == FilePlace.node(other) }
        guard let folder = node(folder(of: one)) else { return false }
        return folder == node(FilePlace.folder(of: other)) && name(of: one) == name(of: other)
    }

    /// Which file or folder a path leads to; nil if it leads nowhere.
    private static func node(_ path: String) -> [UInt64]? {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        return [UInt64(truncatingIfNeeded: status.st_dev), UInt64(truncatingIfNeeded: status.st_ino)]
    }

    /// The name of a file in its folder.
    static func name(of path: String) -> Substring {
        lastSlash(of: path).map { path[path.utf8.index(after: $0)...] } ?? path[...]
    }

    /// The byte counts for a file system, not the character it is part of.
    private static func lastSlash(of path: String) -> String.Index? { path.utf8.lastIndex(of: UInt8(ascii: "/")) }
}
