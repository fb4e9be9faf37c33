import TributaryPlatform

/// The identity of a regular file, whatever its path.
package struct FileIdentity: Hashable, Sendable {
    private let device: UInt64
    private let node: UInt64

    /// The file at `path`, or nil if there is none.
    package init?(path: String) { self.init(FileSource(path)) }

    /// The file of a source, or nil if there is none.
    package init?(_ source: FileSource) {
        var status = stat()
        guard source.withPath({ stat($0, &status) }) == 0 else { return nil }
        self.init(status)
    }

    /// The file of a descriptor, or nil if it is not a regular file.
    package init?(_ descriptor: Int32) {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return nil }
        self.init(status)
    }

    private init?(_ status: stat) {
        guard status.st_mode & S_IFMT == S_IFREG else { return nil }
        device = UInt64(truncatingIfNeeded: status.st_dev)
        node = UInt64(truncatingIfNeeded: status.st_ino)
    }
}
