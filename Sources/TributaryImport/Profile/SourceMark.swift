import TributaryJSON
import TributaryPlatform

/// What tells a file from others, without reading all of it: its size, its date, and a hash of its beginning and its end.
public struct SourceMark: Sendable, Hashable, Codable {
    /// The size in bytes.
    public let byteCount: Int
    /// When it was changed, in nanoseconds since 1970; nil if that is not known.
    public let changed: Int?
    /// The hash of the first and the last 64 KiB.
    public let hash: UInt64

    private static let size = 64 << 10

    /// The mark of a source; nil if it is not a file, or cannot be read now.
    init?(_ source: any ByteSource) {
        guard source.isFile, let size = source.byteCount, let stream = try? source.open() else { return nil }
        var digest = ByteDigest()
        guard SourceMark.read(stream, min(size, SourceMark.size), into: &digest) else { return nil }
        if size > SourceMark.size {
            guard (try? stream.seek(to: max(SourceMark.size, size - SourceMark.size))) == true,
                SourceMark.read(stream, min(size - SourceMark.size, SourceMark.size), into: &digest)
            else { return nil }
        }
        (byteCount, hash) = (size, digest.value)
        changed = source.file.flatMap { file in
            var status = stat()
            guard stat(file.path, &status) == 0 else { return nil }
            return Int(status.st_mtim.tv_sec) * 1_000_000_000 + Int(status.st_mtim.tv_nsec)
        }
    }

    /// Adds the next bytes of a stream to a hash; false if there are not as many.
    private static func read(_ stream: any ByteStream, _ count: Int, into digest: inout ByteDigest) -> Bool {
        withUnsafeTemporaryAllocation(byteCount: 64 << 10, alignment: 8) { buffer in
            var rest = count
            while rest > 0 {
                let room = UnsafeMutableRawBufferPointer(rebasing: buffer[..<min(buffer.count, rest)])
                guard let read = try? stream.read(into: room), read > 0 else { return false }
                digest.update(UnsafeRawBufferPointer(rebasing: room[..<read]))
                rest -= read
            }
            return true
        }
    }
}
