import TributaryStore
import TributaryJSON
import TributarySQLite

/// A file with the changes of a run, one JSON object a line.
package struct ChangesFile {
    private let file: ReportFile

    /// The file at `path`, which is not written yet.
    ///
    /// - Throws: `ImportError` if it cannot be written, is one of `taken`, or exists and holds something else.
    package init(path: String, besides taken: [(name: String, path: String)]) throws {
        file = try ReportFile(path, of: "changes", .changesFile, besides: taken)
        guard try !file.exists || file.isRegular && holdsChanges() else {
            throw file.failure(
                "it exists and does not hold the changes of a run",
                hint: "choose another file for changes; it was not changed")
        }
    }

    /// Whether the first line is a change, or there is none.
    private func holdsChanges() throws -> Bool {
        let stream = try FileSource(file.path).open()
        var head = [UInt8](repeating: 0, count: 64)
        let count = try head.withUnsafeMutableBytes { try stream.read(into: $0) }
        let start = RowChange.lineStart
        guard count > 0 else { return true }
        let rest = head[..<count].dropFirst(start.run.count).drop { (0x30...0x39).contains($0) }
        return head.starts(with: start.run) && rest.starts(with: start.table)
    }

    /// Writes the changes of a run.
    func export(run: Int, keys: [String: [String]], on connection: Connection) throws {
        try file.replace(orElse: "the rows are imported") { file in
            var bytes: [UInt8] = []
            try RowChange.forEach(of: run, keys: keys, on: connection) { change in
                bytes += change.jsonLine(run: run)
                guard bytes.count > 1 << 16 else { return }
                try file.write(bytes)
                bytes.removeAll(keepingCapacity: true)
            }
            try file.write(bytes)
        }
    }
}
