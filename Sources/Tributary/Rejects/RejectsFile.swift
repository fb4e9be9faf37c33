package import TributaryGraph
import TributaryJSON
import TributarySQLite

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A file of rejects: an export of the table `_reject`, one JSON object a line.
package struct RejectsFile {
    let path: String

    /// The file at `path`; nothing is written yet.
    ///
    /// - Throws: `ImportError` if it cannot be written, is one of `taken`, or holds a line that the store does not keep
    ///   in the same form: an edited reject, or something else.
    init(path: String, besides taken: [(name: String, path: String)], on connection: Connection) throws {
        let runs = try Journal.entries(on: connection)
        try self.init(path: path, besides: taken) { line in
            if let known = try RejectTable.row(line.id, on: connection) {
                return known.isSame(as: line) && known.raw == line.raw
            }
            // A reject of a run of this store without a row was imported since, unless a later run has replaced it.
            let name = line.file.map(FilePath.name)
            guard let run = runs.first(where: { $0.run == line.run }) else { return false }
            let isReplaced = runs.contains { $0.run > run.run && $0.identity == run.identity }
            return !isReplaced && run.sourceNames.contains { FilePath.name(of: $0) == name }
        }
    }

    /// - Throws: The same errors; `isKept` returns whether the store keeps the reject of a line.
    package init(
        path: String, besides taken: [(name: String, path: String)], isKept: (RejectedRecord) throws -> Bool
    ) throws {
        self.path = path
        guard !path.isEmpty, !path.utf8.contains(0) else { throw failure("it is not a valid file name") }
        if let other = taken.first(where: { FilePath.areSame($0.path, path) }) {
            throw failure("it is \(other.name)", hint: "choose another file for rejects; it was not changed")
        }
        var status = stat()
        guard stat(path, &status) == 0 else {
            let folder = FilePath.folder(of: path)
            guard access(folder, W_OK | X_OK) == 0 else {
                throw failure("cannot be created: \(String(cString: strerror(errno)))", hint: "choose another path")
            }
            return
        }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw failure("it is not a regular file", hint: "choose another file for rejects")
        }
        guard access(path, W_OK) == 0 else { throw failure("cannot be written", errno) }
        var reader = RejectsReader(FileSource(path))
        while let entry = try reader.next() {
            if case .reject(let line) = entry, line.id > 0, try isKept(line) { continue }
            // A killed process leaves half a line, and a power failure leaves zeros.
            if case .unreadable(let bytes) = entry, try bytes.contains(0) || isCutOff(bytes) && reader.next() == nil {
                continue
            }
            throw failure(
                "it holds edited rejects, or lines that are not rejects of this store",
                hint: "retry edited rejects or move the file away, or choose another file for rejects")
        }
    }

    /// Whether the bytes are the beginning of a line of rejects.
    private func isCutOff(_ bytes: [UInt8]) -> Bool { bytes.starts(with: "{\"reject\":".utf8.prefix(bytes.count)) }

    /// Writes the rejects of a run, or of all runs; without rejects no file is created.
    ///
    /// - Throws: `ImportError` if the file cannot be written; the rejects stay in the store.
    func export(run: Int?, on connection: Connection) throws {
        try export(isEmpty: RejectTable.count(run: run, on: connection) == 0) { body in
            try RejectsFile.forEachPage(run: run, on: connection, body)
        }
    }

    /// Writes the lines that `pages` passes on; if there are none, no file is created.
    ///
    /// - Throws: `ImportError` if the file cannot be written; the rejects stay in the database.
    package func export(isEmpty: Bool, pages: (_ body: ([UInt8]) throws -> Void) throws -> Void) throws {
        var status = stat()
        if isEmpty, stat(path, &status) != 0 { return }
        let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else { throw failure("cannot be written", errno) }
        defer { close(descriptor) }
        try pages { bytes in
            var written = 0
            while written < bytes.count {
                let count = bytes.withUnsafeBytes {
                    write(descriptor, $0.baseAddress.map { $0 + written }, bytes.count - written)
                }
                guard count > 0 || count < 0 && errno == EINTR else {
                    throw failure("cannot be written", count < 0 ? errno : ENOSPC)
                }
                written += max(0, count)
            }
        }
    }

    /// Calls `body` with the lines of many rejects at a time.
    static func forEachPage(
        run: Int?, on connection: Connection, _ body: ([UInt8]) throws -> Void
    ) throws {
        var last: Int64 = 0
        while true {
            let page = try RejectTable.page(after: last, run: run, on: connection)
            guard let end = page.last else { return }
            last = end.id
            var bytes: [UInt8] = []
            for reject in page { reject.appendJSONLine(to: &bytes) }
            try body(bytes)
        }
    }

    private func failure(_ what: String, _ code: Int32) -> ImportError {
        failure("\(what): \(String(cString: strerror(code)))", hint: "the rejects are kept in the store")
    }

    private func failure(_ reason: String, hint: String? = nil) -> ImportError {
        ImportError(.rejectsFile, "the file of rejects \(Excerpt.escape(path)): \(reason)", hint: hint)
    }
}
