package import TributaryJSON

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The file in which an import keeps what it has rejected, one JSON object a line.
///
/// The journal counts the bytes of the file that belong to what is committed, so the order is: `append`, `sync`, then the
/// commit with `length` and `hash`. What a run has written behind its last commit is cut off when it goes on:
/// `cut(to:hash:)`. A run that begins calls `restart()` when its row stands in the journal.
///
/// It belongs to one thread at a time.
package final class RejectsFile {
    /// A file that must not be written over, and what messages call it.
    package struct Refused: Sendable {
        let name: String
        private let file: FileIdentity?
        private let place: FilePlace?

        /// A file that is read or written by the import itself.
        package init(_ name: String, _ file: FileIdentity?) {
            self.name = name
            self.file = file
            place = nil
        }

        /// A file that may not be there yet.
        package init(_ name: String, path: String) {
            self.name = name
            file = FileIdentity(path: path)
            place = FilePlace(path)
        }

        /// Everything that a database at `path` is made of.
        package static func database(_ path: String) -> [Refused] {
            [Refused("the database", path: path)]
                + ["-wal", "-shm", "-journal", "-writer"].map { Refused("part of the database", path: path + $0) }
        }

        fileprivate func isAt(_ path: String) -> Bool {
            if let file, file == FileIdentity(path: path) { return true }
            return place.map { $0 == FilePlace(path) } ?? false
        }
    }

    /// The path as it was given.
    package let path: String
    /// The bytes of the file, those that have not been written yet included.
    package private(set) var length = 0
    /// The hash of these bytes, once it is clear what the file begins with.
    package var hash: String { digest.text }
    private var digest = ByteDigest()
    private var descriptor: Int32 = -1
    private var buffer: [UInt8] = []
    /// Whether the folder does not know the file for good.
    private var isNew = false
    private var needsSync = false
    private static let bufferSize = 256 << 10

    /// Prepares to write the file at `path`; what it holds stays until `restart()` or `cut(to:)`, and a file that does not
    /// exist is made when there is something to say.
    ///
    /// - Throws: `RejectsError` if the file is one of `refused`, is written by somebody else, or cannot be written.
    package init(path: String, refusing refused: [Refused] = []) throws {
        self.path = path
        guard !path.isEmpty, !path.utf8.contains(0) else { throw RejectsError(path, "it is no name of a file") }
        if let other = refused.first(where: { $0.isAt(path) }) {
            throw RejectsError(path, "it is \(other.name)", hint: "choose another file for rejects; it was not changed")
        }
        if !(try open(creating: false)), access(folder, W_OK | X_OK) != 0 { throw failure("cannot be made") }
    }

    deinit {
        unlock()
        if descriptor >= 0 { close(descriptor) }
    }

    /// Lets others write the file; nothing is written here any more.
    ///
    /// Closing it is not enough: a process that is just being started may have the descriptor as well, and the lock with it.
    package func unlock() { if descriptor >= 0 { flock(descriptor, LOCK_UN) } }

    /// The folder of the file.
    private var folder: String { FilePlace.folder(of: path) }

    /// Opens the file; false if there is none and none shall be made.
    private func open(creating: Bool) throws -> Bool {
        while try openOnce(creating: creating) {
            // Whoever had it before may have put another one into its place.
            var (held, there) = (stat(), stat())
            guard fstat(descriptor, &held) == 0 else { throw failure("cannot be read") }
            if stat(path, &there) == 0, (held.st_dev, held.st_ino) == (there.st_dev, there.st_ino) { return true }
            unlock()
            close(descriptor)
            (descriptor, isNew, length) = (-1, false, 0)
        }
        return false
    }

    private func openOnce(creating: Bool) throws -> Bool {
        let opened = openFile(path, O_RDWR | O_CLOEXEC)
        if opened >= 0 {
            descriptor = opened
        } else {
            guard errno == ENOENT else { throw failure("cannot be opened") }
            guard creating else { return false }
            descriptor = openFile(path, O_RDWR | O_CREAT | O_CLOEXEC)
            guard descriptor >= 0 else { throw failure("cannot be made") }
            isNew = true
        }
        // Two imports would write over one another's lines.
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            let code = errno
            close(descriptor)
            descriptor = -1
            guard code == EWOULDBLOCK else { throw failure("cannot be locked", code) }
            throw RejectsError(
                path, "another import writes it", hint: "wait for it, or choose another file for rejects")
        }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw failure("cannot be read") }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw RejectsError(path, "it is no regular file", hint: "choose another file for rejects")
        }
        length = Int(status.st_size)
        return true
    }

    // MARK: Beginning

    /// Sees to it that a run that begins throws nothing away: the file is empty, or is what an earlier run has left that
    /// has read the same.
    ///
    /// One that was not finished may have left more than it has counted.
    package func demandNothing(but earlier: JournalEntry.Rejects?, orMoreOf run: JournalEntry? = nil) throws {
        guard length > 0 else { return }
        if let earlier {
            if try isOurs(earlier.length, earlier.hash) {
                if earlier.length == length { return }
                if let run, try mayBe(of: run, behind: earlier.length) { return }
            }
            // It may have ended before it could empty the file.
            if let before = run?.earlierRejects, before.length == length, try isOurs(length, before.hash) { return }
        }
        throw RejectsError(
            path, "it holds \(length) bytes that this import would not write again",
            hint: "try those again or move them away, or choose another file for rejects")
    }

    /// Sees to it that what stands behind the bytes that a run has counted may have been written by it.
    ///
    /// - Throws: `RejectsError` if another import has written there meanwhile.
    package func demandNothing(behind run: JournalEntry) throws {
        let length = run.rejects?.length ?? 0
        guard self.length > length, try !mayBe(of: run, behind: length) else { return }
        throw RejectsError(
            path, "behind its first \(length) bytes it holds rejects of another import",
            hint: "move it away and begin the import anew with --restart")
    }

    /// Whether the line behind the first bytes may be one of a run: it names it, or is the beginning of such a line.
    private func mayBe(of run: JournalEntry, behind length: Int) throws -> Bool {
        var bytes = [UInt8](repeating: 0, count: min(self.length - length, RejectsFile.bufferSize))
        let count = try bytes.withUnsafeMutableBytes { try read(into: $0, at: length) }
        let line = bytes.prefix(count).prefix { $0 != 0x0A }
        guard line.count < count else {
            // A power cut may have left half of it, and nothing but zeros of the rest.
            let beginning = Array("{\"run\":\(run.run),".utf8)
            return line.starts(with: beginning.prefix(line.count)) || line.allSatisfy { $0 == 0 }
        }
        var reader = RejectsReader(MemorySource(Array(line), name: path))
        guard case .line(let reject)? = try reader.next(), reject.origin?.run == run.run else {
            return line.contains(0)
        }
        let isOfEntity = reject.origin?.entity.map { name in run.identity.routes.contains { $0.entity == name } }
        let isOfFile = reject.position.map { position in
            run.sources.contains { FilePlace.mayBe(position.file, $0.name) }
        }
        return isOfEntity ?? true && isOfFile ?? true
    }

    /// Empties the file: a run begins.
    package func restart() throws {
        guard descriptor >= 0 else { return forget() }
        digest = ByteDigest()
        try truncate(to: 0)
    }

    /// Forgets what would have been written into a file that is not there.
    private func forget() {
        buffer = []
        length = 0
        digest = ByteDigest()
    }

    /// Takes back what stands behind the first `length` bytes: a run goes on whose last commit has counted those.
    ///
    /// - Throws: `RejectsError` if the file is shorter, or holds something else: then it is not the one that was counted.
    package func cut(to length: Int, hash: String? = nil) throws {
        guard self.length >= length else {
            throw RejectsError(
                path,
                descriptor < 0
                    ? "it is gone, but holds \(length) bytes of the import that is to go on"
                    : "it has \(self.length) bytes, but \(length) belong to the import that is to go on",
                hint: "put it back, or begin the import anew with --restart", isGone: descriptor < 0)
        }
        guard descriptor >= 0 else { return forget() }
        guard try isOurs(length, hash) else {
            throw RejectsError(
                path, "it has been changed, but its first \(length) bytes belong to the import that is to go on",
                hint: "bring the old one back, or move it away and begin the import anew with --restart")
        }
        try truncate(to: length)
    }

    /// Whether the file begins with so many bytes of this hash, if that is known; goes on behind them.
    private func isOurs(_ length: Int, _ hash: String?) throws -> Bool {
        digest = ByteDigest()
        let block = UnsafeMutableRawBufferPointer.allocate(byteCount: RejectsFile.bufferSize, alignment: 16)
        defer { block.deallocate() }
        while digest.count < length {
            let wanted = min(block.count, length - digest.count)
            let count = try read(into: UnsafeMutableRawBufferPointer(rebasing: block[..<wanted]), at: digest.count)
            guard count == wanted else { return false }
            digest.update(UnsafeRawBufferPointer(rebasing: block[..<count]))
        }
        return hash.map { $0 == digest.text } ?? true
    }

    /// The hash of all that the file holds.
    package func wholeHash() throws -> String {
        _ = try isOurs(length, nil)
        return hash
    }

    /// Reads bytes of the file; fewer, if it ends before.
    private func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws -> Int {
        var count = 0
        while count < buffer.count {
            let part = pread(
                descriptor, buffer.baseAddress.map { $0 + count }, buffer.count - count, off_t(offset + count))
            if part < 0, errno == EINTR { continue }
            guard part >= 0 else { throw failure("cannot be read") }
            if part == 0 { break }
            count += part
        }
        return count
    }

    private func truncate(to length: Int) throws {
        buffer.removeAll(keepingCapacity: true)
        guard self.length != length else { return }
        guard ftruncate(descriptor, off_t(length)) == 0 else { throw failure("cannot be cut") }
        self.length = length
        needsSync = true
    }

    // MARK: Writing

    /// Adds a reject as a line.
    package func append(_ reject: Reject, of origin: RejectOrigin) throws {
        let before = buffer.count
        reject.appendJSONLine(to: &buffer, of: origin)
        length += buffer.count - before
        buffer.withUnsafeBytes { digest.update(UnsafeRawBufferPointer(rebasing: $0[before...])) }
        if buffer.count >= RejectsFile.bufferSize { try flush() }
    }

    /// Adds a line that is one already, with its line feed.
    func append(line: [UInt8]) throws {
        buffer += line
        length += line.count
        if buffer.count >= RejectsFile.bufferSize { try flush() }
    }

    /// Sees to it that there is a file, if it were empty, and that it is on the disk.
    func makeSure() throws {
        if descriptor < 0, buffer.isEmpty { _ = try open(creating: true) }
        needsSync = true
        try sync()
    }

    /// Sees to it that the folder knows the file.
    func syncFolder() throws {
        let opened = openFile(folder, O_RDONLY | O_CLOEXEC | O_DIRECTORY)
        guard opened >= 0 else { throw failure("cannot be written to the disk") }
        defer { close(opened) }
        // Some file systems know no fsync of a folder; they have nothing to lose there.
        guard fsync(opened) == 0 || errno == EINVAL else { throw failure("cannot be written to the disk") }
    }

    /// Sees to it that all lines are on the disk; call it before the commit that counts them.
    package func sync() throws {
        try flush()
        guard needsSync else { return }
        guard fsync(descriptor) == 0 else { throw failure("cannot be written to the disk") }
        if isNew {
            try syncFolder()
            isNew = false
        }
        needsSync = false
    }

    private func flush() throws {
        guard !buffer.isEmpty else { return }
        let end = length
        if descriptor < 0 {
            let isThere = try open(creating: true)
            // A file that has come into being meanwhile is none of ours.
            if isThere, !isNew, length > 0 {
                unlock()
                close(descriptor)
                descriptor = -1
                forget()
                throw RejectsError(path, "somebody else has made it meanwhile", hint: "choose another file for rejects")
            }
            length = end
        }
        needsSync = true
        let start = end - buffer.count
        var written = 0
        while written < buffer.count {
            let count = buffer.withUnsafeBytes { bytes in
                pwrite(
                    descriptor, bytes.baseAddress.map { $0 + written }, bytes.count - written, off_t(start + written))
            }
            if count > 0 {
                written += count
                continue
            }
            let code = count < 0 ? errno : ENOSPC
            if code == EINTR { continue }
            // Nobody finds half a line, nor one that is not counted.
            _ = ftruncate(descriptor, off_t(start))
            buffer.removeAll()
            length = start
            throw failure("cannot be written", code)
        }
        buffer.removeAll(keepingCapacity: true)
    }

    private func failure(_ what: String, _ code: Int32 = errno) -> RejectsError {
        RejectsError(path, "\(what): \(String(cString: strerror(code)))")
    }
}

private func openFile(_ path: String, _ flags: Int32) -> Int32 { open(path, flags, 0o666) }
