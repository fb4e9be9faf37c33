package import TributaryJSON
import TributaryPlatform

extension FileSource {
    /// The path from the root, without following links.
    package var absolutePath: String {
        guard !path.hasPrefix("/") else { return FileSource.plain(path) }
        guard let folder = getcwd(nil, 0) else { return path }
        defer { free(folder) }
        return FileSource.plain(String(cString: folder) + "/" + path)
    }

    /// The path without empty components and `.`; `..` stays, since a symbolic link may precede it.
    private static func plain(_ path: String) -> String {
        "/" + path.split(separator: "/").filter { $0 != "." }.joined(separator: "/")
    }

    /// The size and the time of the last change of a regular file; nil if it is something else.
    func state() throws -> (size: Int, modified: Int)? {
        var status = stat()
        guard withPath({ stat($0, &status) }) == 0 else { throw DescriptorStream.failure(.sourceOpen, path, errno) }
        guard status.st_mode & S_IFMT == S_IFREG else { return nil }
        #if canImport(Darwin)
            let time = status.st_mtimespec
        #else
            let time = status.st_mtim
        #endif
        // A time that overflows is no problem, since times are only compared for equality.
        return (Int(status.st_size), Int(time.tv_sec) &* 1_000_000_000 &+ Int(time.tv_nsec))
    }

    /// The hash of a range of its stored bytes, or of fewer bytes if the file ends before.
    func window(_ range: Range<Int>) throws -> SourceFingerprint.Window {
        let stream = try open()
        var digest = ByteDigest()
        guard try stream.seek(to: range.lowerBound) else {
            return SourceFingerprint.Window(start: range.lowerBound, length: 0, hash: digest.text)
        }
        try withUnsafeTemporaryAllocation(byteCount: 16 << 10, alignment: 8) { buffer in
            while digest.count < range.count {
                let room = buffer[..<min(buffer.count, range.count - digest.count)]
                let count = try stream.read(into: UnsafeMutableRawBufferPointer(rebasing: room))
                if count == 0 { break }
                digest.update(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
            }
        }
        return SourceFingerprint.Window(start: range.lowerBound, length: digest.count, hash: digest.text)
    }
}
