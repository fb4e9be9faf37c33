package import TributaryJSON

/// The fingerprint of a source, which differs if the source has changed.
///
/// A plain file has its size, the time of its last change, and hashes of its first bytes and of those before the
/// position where reading stopped. A pipe and a compressed or converted source have the hash of all bytes up to that
/// position, which the reader compares when it reads them again.
package struct SourceFingerprint: Sendable, Hashable, Codable {
    /// Some bytes of a file as they are stored.
    package struct Window: Sendable, Hashable, Codable {
        /// The offset of the first one.
        package var start: Int
        /// The number of bytes.
        package var length: Int
        /// Their hash.
        package var hash: String
    }

    /// The absolute path of a file, or the name of another source in messages.
    package var name: String
    /// The stored bytes of a regular file; nil for another source.
    package var size: Int?
    /// When it was changed last, in nanoseconds since 1970.
    package var modified: Int?
    /// The first bytes.
    package var head: Window?
    /// The bytes of a plain file before the position where reading stopped.
    package var tail: Window?
    /// The hash of all bytes of another source up to that position.
    package var passed: DigestMark?
    /// Whether a source that has grown is still the same source, as for NDJSON.
    package var mayGrow = false

    /// The maximum number of bytes of a window.
    package static let windowBytes = 64 << 10

    /// Takes the fingerprint of a source before it is read.
    ///
    /// - Throws: `JSONError` if it is a file and cannot be read.
    package init(of source: any ByteSource) throws {
        name = source.identityName
        guard let file = source as? FileSource, let state = try file.state() else { return }
        size = state.size
        modified = state.modified
        head = try file.window(0..<min(state.size, SourceFingerprint.windowBytes))
    }

    /// Records how far a source has been read.
    ///
    /// - Parameters:
    ///   - checkpoint: The position after the last record that will be committed.
    ///   - digest: The reader's hash of the bytes before it; nil for a plain file.
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

    /// The difference of a source from its fingerprint.
    package enum Change: Sendable, Hashable {
        /// No difference is visible before the source is read.
        case same
        /// The source has grown, and its earlier bytes are unchanged.
        case grown
        /// The source has changed; the text describes the change as a clause of a sentence.
        case changed(String)
    }

    /// Compares a source with the fingerprint.
    ///
    /// - Throws: `JSONError` if it cannot be read.
    package func change(in source: any ByteSource) throws -> Change {
        let now = try SourceFingerprint(of: source)
        guard name == now.name else { return .changed("it is \(now.name), not \(name)") }
        guard let size, let head else {
            return now.size == nil ? .same : .changed("it is a regular file now")
        }
        guard let newSize = now.size, let file = source as? FileSource else {
            return .changed("it is no longer a regular file")
        }
        guard newSize >= size else { return .changed("it has \(newSize) bytes instead of \(size)") }
        guard try file.window(head.start..<head.start + head.length) == head else {
            return .changed("its first bytes differ")
        }
        if let tail, try file.window(tail.start..<tail.start + tail.length) != tail {
            return .changed("the bytes before the position where reading stopped differ")
        }
        if newSize == size { return now.modified == modified ? .same : .changed("the time of its last change differs") }
        return mayGrow ? .grown : .changed("it has \(newSize) bytes instead of \(size)")
    }
}
