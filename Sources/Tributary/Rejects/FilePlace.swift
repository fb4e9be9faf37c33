#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A name in a folder, whatever way leads to the folder, and whether there is such a file or not.
package struct FilePlace: Hashable {
    private let device: UInt64
    private let folder: UInt64
    private let name: String

    /// The place that a path names; nil if its folder is not there.
    init?(_ path: String) {
        var status = stat()
        guard stat(FilePlace.folder(of: path), &status) == 0 else { return nil }
        device = UInt64(truncatingIfNeeded: status.st_dev)
        folder = UInt64(truncatingIfNeeded: status.st_ino)
        name = FilePlace.lastSlash(of: path).map { String(path[path.utf8.index(after: $0)...]) } ?? path
    }

    /// The folder of a file.
    static func folder(of path: String) -> String {
        guard let slash = lastSlash(of: path) else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// Whether a path that was given in some folder may lead to a file.
    package static func mayBe(_ path: String, _ absolute: String) -> Bool {
        if path == absolute { return true }
        let steps = path.utf8.split(separator: UInt8(ascii: "/")).filter { !$0.elementsEqual(".".utf8) }
            .drop { $0.elementsEqual("..".utf8) }
        let all = absolute.utf8.split(separator: UInt8(ascii: "/"))
        guard all.count >= steps.count, path.utf8.first != UInt8(ascii: "/") else { return false }
        return zip(all.suffix(steps.count), steps).allSatisfy { $0.elementsEqual($1) }
    }

    /// The byte counts for a file system, whatever it is one character with.
    private static func lastSlash(of path: String) -> String.Index? { path.utf8.lastIndex(of: UInt8(ascii: "/")) }
}
