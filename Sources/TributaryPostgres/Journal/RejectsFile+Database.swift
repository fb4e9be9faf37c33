import Tributary
import TributaryJSON

extension RejectsFile {
    /// The file at `path`, into which the rejects of `sources` will be written; nothing is written yet.
    ///
    /// - Throws: `ImportError` if it cannot be written, is one of `taken`, or holds a line that would be lost;
    ///   `PostgresError`.
    init(
        path: String, besides taken: [(name: String, path: String)], of sources: [any ByteSource] = [],
        on connection: PostgresConnection
    ) throws {
        try self.init(path: path, besides: taken, of: sources) { line in
            if let known = try RejectRows.row(line.id, on: connection) {
                return known.isSame(as: line) && known.raw == line.raw
            }
            // A reject of a run of this database without a row was imported since, unless a later run replaced it.
            guard let run = try RunJournal.run(line.run, on: connection) else { return false }
            let latest = try RunJournal.latest(run.entry.identity.hash, on: connection)
            let name = line.file.map(FilePath.name)
            return latest?.run == run.run && run.entry.sourceNames.contains { FilePath.name(of: $0) == name }
        }
    }

    /// Writes the rejects of a run, or of all runs; without rejects no file is created.
    ///
    /// - Throws: `ImportError` if the file cannot be written; `PostgresError`.
    func export(run: Int?, on connection: PostgresConnection) throws {
        try export(isEmpty: RejectRows.count(run: run, on: connection) == 0) { body in
            try RejectRows.forEachLines(run: run, on: connection, body)
        }
    }
}
