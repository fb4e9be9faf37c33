import TributaryStore
import TributaryJSON
import TributarySQLite
import TributaryPlatform

/// A file with the changes of a run, one JSON object a line.
package struct ChangesFile {
    let path: String

    /// The file at `path`, which is not written yet.
    ///
    /// - Throws: `ImportError` if it cannot be written, is one of `taken`, or exists and holds something else.
    package init(path: String, besides taken: [(name: String, path: String)]) throws {
        self.path = path
        guard !path.isEmpty, !path.utf8.contains(0) else { throw failure("it is not a valid file name") }
        if let other = taken.first(where: { FilePath.areSame($0.path, path) }) {
            throw failure("it is \(other.name)", hint: "choose another file for changes; it was not changed")
        }
        if let obstacle = FileReplacement.obstacle(at: path) {
            throw failure("it cannot be written: \(obstacle)", hint: "choose another path")
        }
        var status = stat()
        guard stat(path, &status) == 0 else { return }
        guard status.st_mode & S_IFMT == S_IFREG, try holdsChanges() else {
            throw failure(
                "it exists and does not hold the changes of a run",
                hint: "choose another file for changes; it was not changed")
        }
    }

    /// Whether the first line is a change, or there is none.
    private func holdsChanges() throws -> Bool {
        let stream = try FileSource(path).open()
        var head = [UInt8](repeating: 0, count: 64)
        let count = try head.withUnsafeMutableBytes { try stream.read(into: $0) }
        let start = RowChange.lineStart
        guard count > 0 else { return true }
        let rest = head[..<count].dropFirst(start.run.count).drop { (0x30...0x39).contains($0) }
        return head.starts(with: start.run) && rest.starts(with: start.table)
    }

    /// Writes the changes of a run.
    ///
    /// - Throws: `ImportError` if the file cannot be written, `SQLiteError`.
    func export(run: Int, keys: [String: [String]], on connection: Connection) throws {
        do {
            let file = try FileReplacement(of: path)
            var bytes: [UInt8] = []
            try RowChange.forEach(of: run, keys: keys, on: connection) { change in
                bytes += change.jsonLine(run: run)
                guard bytes.count > 1 << 16 else { return }
                try file.write(bytes)
                bytes.removeAll(keepingCapacity: true)
            }
            try file.write(bytes)
            try file.finish()
        } catch let error as FileReplacement.Failure {
            throw failure("it cannot be written: \(error)", hint: "the rows are imported")
        }
    }

    private func failure(_ reason: String, hint: String? = nil) -> ImportError {
        ImportError(.changesFile, "the file of changes \(Excerpt.escape(path)): \(reason)", hint: hint)
    }
}
