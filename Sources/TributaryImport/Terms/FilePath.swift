package import TributaryJSON
import TributaryPlatform

/// Functions for paths of files.
package enum FilePath {
    /// The files that a database is made of.
    package static func database(_ path: String) -> [(name: String, path: String)] {
        let endings = ["-wal", "-shm", "-journal"]
        let parts =
            endings + ["-writer", "-new", "-load", "-ids", "-ids-journal"] + (1..<9).map { "-load-\($0)" }
            + ([""] + endings).map { "-staged" + $0 }
        return [("the database", path)] + parts.map { ("part of the database", path + $0) }
    }

    /// The files that are read.
    package static func sources(_ sources: [any ByteSource]) -> [(name: String, path: String)] {
        sources.compactMap { source in source.file.map { ("the source \($0.name)", $0.path) } }
    }

    /// The folder of a file.
    package static func folder(of path: String) -> String {
        guard let slash = lastSlash(of: path) else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// Whether two paths name the same file, which need not exist.
    package static func areSame(_ one: String, _ other: String) -> Bool {
        if let node = node(one) { return node == FilePath.node(other) }
        guard let folder = node(folder(of: one)) else { return false }
        return folder == node(FilePath.folder(of: other)) && name(of: one) == name(of: other)
    }

    /// The device and inode of the file or folder at a path; nil if there is none.
    private static func node(_ path: String) -> [UInt64]? {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        return [UInt64(truncatingIfNeeded: status.st_dev), UInt64(truncatingIfNeeded: status.st_ino)]
    }

    /// The name of a file in its folder.
    package static func name(of path: String) -> Substring {
        lastSlash(of: path).map { path[path.utf8.index(after: $0)...] } ?? path[...]
    }

    /// The last byte `/`, which separates folders even if it is part of a longer character.
    private static func lastSlash(of path: String) -> String.Index? { path.utf8.lastIndex(of: UInt8(ascii: "/")) }
}
