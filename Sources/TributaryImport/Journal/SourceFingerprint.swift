package import TributaryJSON

/// The fingerprint of a source, which differs if the source has changed.
///
/// A source has the hash of all bytes up to the position where reading stopped. A file also has its size, the time of
/// its last change, and hashes of its first bytes, which distinguish most files without reading them; a plain file also
/// of the bytes before that position, so that it need not be read again to be resumed.
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
    /// The version of a source on a server, such as its entity tag.
    package var version: String?
    /// The first bytes.
    package var head: Window?
    /// The bytes of a plain file before the position where reading stopped.
    package var tail: Window?
    /// The hash of all bytes up to that position, or of the whole source.
    package var passed: DigestMark?
    /// Whether `passed` covers the whole source.
    package var isWhole: Bool?
    /// Whether a source that has grown is still the same source, as for NDJSON.
    package var mayGrow = false

    /// The maximum number of bytes of a window.
    package static let windowBytes = 64 << 10

    /// Takes the fingerprint of a source before it is read.
    package init(of source: any ByteSource) throws {
        name = source.identityName
        guard let file = source as? FileSource else {
            version = try source.versionIfTold()
            size = source.byteCount
            return
        }
        guard let state = try file.state() else { return }
        size = state.size
        modified = state.modified
        head = try file.window(0..<min(state.size, SourceFingerprint.windowBytes))
    }

    /// Records that a source has been read to the position after the last record that will be committed.
    ///
    /// `digest` is the reader's hash of the bytes before it.
    package mutating func advance(to checkpoint: Checkpoint, digest: DigestMark?, of source: any ByteSource) throws {
        mayGrow = checkpoint.shape.isNDJSON
        passed = digest ?? passed
        if passed?.digest != nil, let file = source as? FileSource, size != nil {
            tail = try file.window(max(0, checkpoint.byte - SourceFingerprint.windowBytes)..<checkpoint.byte)
        }
    }

    /// The difference of a source from its fingerprint.
    package enum Change: Sendable, Hashable {
        /// No difference is visible before the source is read.
        case same
        /// The source has grown, and its earlier bytes are unchanged.
        case grown
        /// The source has changed; the text describes the change as a clause of a sentence. The remedy is nil if only
        /// the earlier source can be resumed.
        case changed(String, ImportRemedy? = nil)
    }

    /// Compares a source with the fingerprint.
    package func change(in source: any ByteSource, _ reading: ImportIdentity.Reading) throws -> Change {
        let now = try SourceFingerprint(of: source)
        guard name == now.name else { return .changed("it is \(now.name), not \(name)") }
        guard now.version == version else {
            return .changed("it was \(version ?? "without a version"), and is \(now.version ?? "without a version")")
        }
        guard let size, let head else {
            // The reader compares the bytes that it reads again.
            guard now.size != size else { return .same }
            let isDescriptor = source is DescriptorSource
            if size == nil { return .changed("it is a regular file now", isDescriptor ? .usePipe : nil) }
            return isDescriptor && now.size == nil
                ? .changed("it is a pipe now", .useFile) : .changed("its size differs")
        }
        guard let newSize = now.size, let file = source as? FileSource else {
            return .changed("it is no longer a regular file")
        }
        guard newSize >= size else { return .changed("it has \(newSize) bytes instead of \(size)") }
        guard try file.has(head) else { return .changed("its first bytes differ") }
        guard try file.has(tail) else { return .changed("the bytes before the position where reading stopped differ") }
        if newSize == size {
            guard now.modified != modified, let passed else { return .same }
            return try source.digest(upTo: passed.byte, reading.limits, reading.conversion).hash == passed.hash
                ? .same : .changed("its bytes before the position where reading stopped differ")
        }
        return mayGrow ? .grown : .changed("it has \(newSize) bytes instead of \(size)")
    }

    /// Whether a file is the one that was read, by its size, the time of its last change and some of its bytes; a source
    /// on a server by its version.
    ///
    /// It is not read as a whole, so this is quick enough for a transaction.
    package func isUntouched(_ source: any ByteSource) throws -> Bool {
        if version != nil { return try name == source.identityName && version == source.versionIfTold() }
        guard let size, let file = source as? FileSource, name == source.identityName, let state = try file.state(),
            state.size == size, state.modified == modified
        else { return false }
        return try file.has(head) && file.has(tail)
    }

    /// Whether a source of any name has the content that was read.
    ///
    /// The time of the last change does not matter. Only a file whose size and first bytes are the same is hashed.
    package func isContent(of source: any ByteSource, _ reading: ImportIdentity.Reading) throws -> Bool {
        guard let size, let passed else { return false }
        if let file = source as? FileSource {
            guard head != nil, try file.state()?.size == size, try file.has(head) else { return false }
        } else if source.byteCount != size {
            return false
        }
        return try source.begins(with: passed, reading, isWhole: isWhole ?? false)
    }

    /// Whether a file of any name has the content that was read, or begins with what was read of a source.
    func isBegun(_ source: any ByteSource, _ reading: ImportIdentity.Reading) throws -> Bool {
        if isWhole ?? false { return try isContent(of: source, reading) }
        guard let passed, passed.byte + (tail?.length ?? 0) > 0, let file = source as? FileSource,
            try file.state() != nil
        else { return false }
        // The hash may end before the position.
        return try file.has(tail) && source.begins(with: passed, reading)
    }

    /// Whether a file begins with the lines that were read to its end, and has more of them.
    package func hasGrown(in source: any ByteSource, _ reading: ImportIdentity.Reading) throws -> Bool {
        guard mayGrow, isWhole ?? false, let size, let passed, passed.digest != nil, let file = source as? FileSource,
            let state = try file.state(), state.size > size, passed.byte == size, size > 0
        else { return false }
        // A last line without its end may have become longer.
        guard try file.window(size - 1..<size).hash == SourceFingerprint.lineFeed else { return false }
        return try source.begins(with: passed, reading)
    }

    private static let lineFeed: String = {
        var digest = ByteDigest()
        digest.update([0x0A])
        return digest.text
    }()
}

extension ByteSource {
    /// Whether the bytes up to a mark have its hash, or all bytes.
    fileprivate func begins(
        with mark: DigestMark, _ reading: ImportIdentity.Reading, isWhole: Bool = false
    ) throws -> Bool {
        let read = try digest(upTo: isWhole ? nil : mark.byte, reading.limits, reading.conversion)
        return read.hash == mark.hash && read.byte == mark.byte
    }
}

extension FileSource {
    /// Whether the file has the bytes of a window, if there is one.
    fileprivate func has(_ window: SourceFingerprint.Window?) throws -> Bool {
        try window.map { try self.window($0.start..<$0.start + $0.length) == $0 } ?? true
    }
}
