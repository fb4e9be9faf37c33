import TributaryPlatform

/// What a path leads to.
enum FileKind {
    case directory, file
    /// A device, a pipe or a socket.
    case other

    /// The kind of what is at `path`, or nil if nothing is.
    ///
    /// A symbolic link is `other` unless links are followed.
    init?(_ path: String, followsLinks: Bool = true) {
        var status = stat()
        guard (followsLinks ? stat(path, &status) : lstat(path, &status)) == 0 else { return nil }
        switch status.st_mode & S_IFMT {
        case S_IFDIR: self = .directory
        case S_IFREG: self = .file
        default: self = .other
        }
    }

    /// Whether a path is that of a pipe in a folder, and not of one that the shell has opened for `>(…)`.
    static func isNamedPipe(_ path: String) -> Bool {
        var status = stat()
        return !path.hasPrefix("/dev/fd/") && lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO
    }
}
