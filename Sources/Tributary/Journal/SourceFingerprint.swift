package import TributaryJSON

/// What tells a source from a changed one of the same name.
///
/// Of a plain file it has the size, the time of its last change, and hashes of its first bytes and of those before the
/// place where reading stopped. Of a pipe, and of what is compressed or converted, it has the hash of all bytes up to that
/// place, which the reader compares when they pass it again.
package struct SourceFingerprint: Sendable, Hashable, Codable {
    /// Some bytes of a file as they are stored.
    package struct Window: Sendable, Hashable, Codable {
        /// The offset of the first one.
        package var start: Int
        /// How many they are.
        package var length: Int
        /// Their hash.
        package var hash: String
    }

    /// The absolute path, or what messages call a source that is no file.
    package var name: String
    /// Bytes as they are stored; nil for what is no regular file.
    package var size: Int?
    /// When it was changed last, in nanoseconds since 1970.
    package var modified: Int?
    /// The first bytes.
    package var head: Window?
    /// The bytes before the place where reading stopped, of a plain file.
    package var tail: Window?
    /// The hash of all bytes up to there, of everything else.
    package var passed: DigestMark?
    /// Whether the source may grow and still be the same: NDJSON.
    package var mayGrow = false

    /// The most bytes of a window.
    package static let windowBytes = 64 << 10

    /// Looks at a source before it is read.
    ///
    /// - Throws: `JSONError` if it is a file and cannot be read.
    package init(of source: any ByteSource) throws {
        guard let file = source as? FileSource else {
            name = source.name
            return
        }
        name = file.absolutePath
        guard let state = try file.state() else { return }
        size = state.size
        modified = state.modified
        head = try file.window(0..<min(state.size, SourceFingerprint.windowBytes))
    }

    /// Notes how far a source has been read.
    ///
    /// - Parameters:
    ///   - checkpoint: The place behind the last record that will be committed.
    ///   - digest: The reader's hash of what lies before it; nil for a plain file.
    ///   - source: The source as it is now.
    /// - Throws: `JSONError` if it cannot be read.
    package mutating func advance(to checkpoint: Checkpoint, digest: DigestMark?, of source: any ByteSource) throws {
        mayGrow = checkpoint.shape.isNDJSON
        if let digest {
            passed = digest
        } else if passed == nil, let file = source as? FileSource, size != nil {
            tail = try file.window(max(0, checkpoint.byte - SourceFingerprint.windowBytes)..<checkpoint.byte)
        }
    }

    /// How a source differs from what it was.
    package enum Change: Sendable, Hashable {
        /// Not at all, as far as can be told before it is read.
        case same
        /// It has become longer, and what was there is still there.
        case grown
        /// It is another one: in what, as the end of a sentence.
        case changed(String)
    }

    /// Compares the source as it is now with what it was.
    ///
    /// - Throws: `JSONError` if it cannot be read.
    package func change(in source: any ByteSource) throws -> Change {
        let now = try SourceFingerprint(of: source)
        guard name == now.name else { return .changed("it is \(now.name), not \(name)") }
        guard let size, let head else {
            return now.size == nil ? .same : .changed("it is a file now")
        }
        guard let newSize = now.size, let file = source as? FileSource else {
            return .changed("it is no file any more")
        }
        guard newSize >= size else { return .changed("it has \(newSize) bytes instead of \(size)") }
        guard try file.window(head.start..<head.start + head.length) == head else {
            return .changed("its first bytes differ")
        }
        if let tail, try file.window(tail.start..<tail.start + tail.length) != tail {
            return .changed("the bytes differ before the place where reading stopped")
        }
        if newSize == size { return now.modified == modified ? .same : .changed("it was written to") }
        return mayGrow ? .grown : .changed("it has \(newSize) bytes instead of \(size)")
    }
}
