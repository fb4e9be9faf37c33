import Foundation
import TributaryStore
import TributaryJSON
package import TributaryModel

/// The rejects of a retry in a temporary file, since the store may not allow reads during the import.
package final class TemporaryRejectsFile: Sendable {
    let path: String
    /// The name of the source in messages.
    private let name: String
    /// The runs of the journal.
    private let entries: [JournalEntry]
    /// The groups in the order in which they appear.
    package let groups: [RetryGroup]
    /// For each group the bytes from its first line to its last one, which have few lines of others: rejects of one
    /// source follow each other.
    private let spans: [RetryGroup: Range<Int>]
    /// The counts of rejects that cannot be retried.
    package let summary: RetrySummary

    /// Copies all rejects of a source that can be retried.
    ///
    /// - Throws: `JSONError`, `ImportError`, errors of reading the database, or Foundation's error of writing the file.
    package init(_ source: RejectSource, in store: any ImportStore, named database: String) throws {
        name = source.name(in: database)
        entries = try store.runs()
        path = NSTemporaryDirectory() + "/tributary-retry-\(UUID().uuidString)"
        var (groups, summary): ([RetryGroup], RetrySummary) = ([], RetrySummary())
        var (spans, end): ([RetryGroup: Range<Int>], Int) = ([:], 0)
        guard FileManager.default.createFile(atPath: path, contents: nil, attributes: [.posixPermissions: 0o600]) else {
            throw ImportError(.rejectsFile, "the temporary file \(path) cannot be created")
        }
        let file = try FileHandle(forWritingTo: URL(filePath: path))
        defer { try? file.close() }
        var reader = RejectSourceReader(source, store)
        let runs = Set(entries.filter { $0.identity.routes.contains(where: \.storesSource) }.map(\.run))
        while let entry = try reader.next() {
            switch entry {
            case .record(var reject, let edited):
                let group = RetryGroup(reject, byFile: runs.contains(reject.run))
                // The path of the error is not needed here; it marks a record whose bytes were edited.
                reject.path = edited == nil ? nil : "edited"
                var line: [UInt8] = []
                reject.appendJSONLine(to: &line)
                try file.write(contentsOf: line)
                if spans[group] == nil { groups.append(group) }
                spans[group] = (spans[group]?.lowerBound ?? end)..<end + line.count
                end += line.count
            case .gone: summary.gone += 1
            case .unusable: summary.unusable += 1
            case .foreign: summary.foreign += 1
            }
        }
        (self.groups, self.spans, self.summary) = (groups, spans, summary)
    }

    /// For each group the route and the settings of its import.
    ///
    /// - Throws: `ImportError` if the entity or the key of one is unknown.
    package func plans(_ model: Model?, _ routes: [ImportRoute], _ options: RetryOptions) throws -> [RetryPlan] {
        try groups.map { try RetryPlan($0, entries, model, routes, options) }
    }

    /// The records of a group as NDJSON; `pending` gets their rejects as they are read.
    package func lines(of group: RetryGroup, _ pending: PendingRejects = PendingRejects()) -> RetryLines {
        RetryLines(name: group.file ?? name, rejects: self, group: group, pendingRejects: pending)
    }

    /// Reads the lines from the first to the last one of a group.
    package func reader(of group: RetryGroup) -> RejectsReader {
        RejectsReader(FileSpan(file: FileSource(path), bytes: spans[group] ?? 0..<0))
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }
}
