import TributaryGraph
import TributaryJSON
import TributarySQLite

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A file with the changes of a run, one JSON object a line.
struct ChangesFile {
    let path: String

    /// Checks that the file can be written, before anything else is done.
    ///
    /// - Throws: `ImportError` if it cannot, exists already, or is one of `taken`.
    func check(besides taken: [(name: String, path: String)]) throws {
        guard !path.isEmpty, !path.utf8.contains(0) else { throw failure("it is not a valid file name") }
        if let other = taken.first(where: { FilePath.areSame($0.path, path) }) {
            throw failure("it is \(other.name)", hint: "choose another file for changes; it was not changed")
        }
        guard access(FilePath.folder(of: path), W_OK | X_OK) == 0 else {
            throw failure("cannot be created: \(String(cString: strerror(errno)))", hint: "choose another path")
        }
    }

    /// Writes the changes of a run, through a file beside it that then gets its name.
    ///
    /// - Throws: `ImportError` if the file cannot be written, `SQLiteError`.
    func export(run: Int, keys: [String: [String]], on connection: Connection) throws {
        let temporary = "\(path).\(getpid()).part"
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else { throw failure("cannot be written", errno) }
        var isComplete = false
        defer { if !isComplete { unlink(temporary) } }
        do {
            defer { close(descriptor) }
            var bytes: [UInt8] = []
            try RowChange.forEach(of: run, keys: keys, on: connection) { change in
                bytes += change.jsonLine(run: run)
                guard bytes.count > 1 << 16 else { return }
                try write(&bytes, to: descriptor)
            }
            try write(&bytes, to: descriptor)
            guard fsync(descriptor) == 0 else { throw failure("cannot be written", errno) }
        }
        guard rename(temporary, path) == 0 else { throw failure("cannot be written", errno) }
        isComplete = true
    }

    private func write(_ bytes: inout [UInt8], to descriptor: Int32) throws {
        var written = 0
        while written < bytes.count {
            let count = bytes.withUnsafeBytes { buffer in
                #if canImport(Darwin)
                    Darwin.write(descriptor, buffer.baseAddress.map { $0 + written }, buffer.count - written)
                #elseif canImport(Glibc)
                    Glibc.write(descriptor, buffer.baseAddress.map { $0 + written }, buffer.count - written)
                #else
                    Musl.write(descriptor, buffer.baseAddress.map { $0 + written }, buffer.count - written)
                #endif
            }
            guard count > 0 || count < 0 && errno == EINTR else {
                throw failure("cannot be written", count < 0 ? errno : ENOSPC)
            }
            written += max(0, count)
        }
        bytes.removeAll(keepingCapacity: true)
    }

    private func failure(_ what: String, _ code: Int32) -> ImportError {
        failure("\(what): \(String(cString: strerror(code)))", hint: "the rows are imported")
    }

    private func failure(_ reason: String, hint: String? = nil) -> ImportError {
        ImportError(.changesFile, "the file of changes \(Excerpt.escape(path)): \(reason)", hint: hint)
    }
}
