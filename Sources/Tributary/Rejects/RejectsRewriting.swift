import TributaryJSON

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Leaves in a file of rejects what has been refused once more, and what could not be tried.
package struct RejectsRewriting {
    /// Why a line was refused again.
    private struct Reason {
        let code: String?
        let reason: String?
    }

    private let path: String
    /// By the number of the line.
    private var refused: [Int: Reason] = [:]
    /// Lines that stay.
    package private(set) var kept = 0
    /// Lines that are gone, since their records were imported.
    package private(set) var imported = 0

    /// Prepares to rewrite the file at `path`.
    package init(path: String) { self.path = path }

    /// Takes what an import of a `RetrySource` has rejected, from its own file of rejects.
    package mutating func take(rejects file: String) throws {
        guard FileIdentity(path: file) != nil else { return }
        var reader = RejectsReader(path: file)
        while let entry = try reader.next() {
            guard case .line(let line) = entry, let place = line.position?.line else { continue }
            if refused[place] == nil { refused[place] = Reason(code: line.code, reason: line.reason) }
        }
    }

    /// Writes the file anew beside itself, and puts it in its own place when it is on the disk.
    ///
    /// - Throws: `RejectsError` or `JSONError`; then the file is as it was.
    package mutating func run() throws {
        // A link leads to the new file as it has led to the old one.
        let path =
            realpath(path, nil).map { place in
                defer { free(place) }
                return String(cString: place)
            } ?? path
        // Nobody but this process has a file of this name.
        let draft = "\(path).tributary-\(getpid())"
        _ = unlink(draft)
        let output = try RejectsFile(path: draft)
        var reader = RejectsReader(path: path)
        while let entry = try reader.next() {
            switch entry {
            case .line(let line) where line.canBeRetried:
                guard let reason = refused[line.number] else {
                    imported += 1
                    continue
                }
                try output.append(line: line.text(code: reason.code, reason: reason.reason))
            case .line, .unreadable: try output.append(line: entry.text + [0x0A])
            }
            kept += 1
        }
        try output.makeSure()
        // Whoever may read the one may read the other.
        var status = stat()
        if stat(path, &status) == 0 { _ = chmod(draft, status.st_mode & 0o7777) }
        guard rename(draft, path) == 0 else {
            throw RejectsError(path, "cannot be replaced by \(draft): \(String(cString: strerror(errno)))")
        }
        try output.syncFolder()
    }
}

extension RejectedLine {
    /// The line with its line feed, with a new reason.
    fileprivate func text(code: String?, reason: String?) -> [UInt8] {
        guard code != self.code || reason != self.reason else { return text + [0x0A] }
        var error = JSONError(.recoveryLost, reason ?? "")
        error.position = position
        error.record = record
        error.path = path
        let reject = Reject(error: error, offset: start ?? 0, length: length ?? raw?.count ?? 0, raw: raw ?? [])
        var bytes: [UInt8] = []
        reject.appendJSONLine(to: &bytes, of: origin, code: code)
        return bytes
    }
}
