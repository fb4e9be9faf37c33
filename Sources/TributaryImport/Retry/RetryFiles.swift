import Foundation
import TributaryStore
import TributaryJSON
import TributaryModel

/// The rejects of a retry in temporary files, since the store may not allow reads during the import.
package final class RetryFiles: Sendable {
    /// The folder of the files.
    private let folder: String
    /// The name of the source in messages.
    private let name: String
    /// The runs of the journal.
    private let entries: [JournalEntry]
    /// The groups in the order in which they appear.
    package let groups: [RetryGroup]
    /// The counts of rejects that cannot be retried.
    let summary: RetrySummary

    /// Copies all rejects of a source that can be retried.
    package init(_ source: RejectSource, in store: any ImportStore, named database: String) throws {
        name = source.name(in: database)
        entries = try store.runs()
        folder = NSTemporaryDirectory() + "/tributary-retry-\(UUID().uuidString)"
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        var output = Output(
            folder: folder,
            runsByFile: Set(entries.filter { $0.identity.routes.contains(where: \.storesSource) }.map(\.run)))
        var summary = RetrySummary()
        switch source {
        case .store(let run):
            try store.forEachRejects(run: run) { page in
                for reject in page {
                    if reject.canBeRetried { try output.add(reject, edited: nil) } else { summary.unusable += 1 }
                }
            }
        case .file(let file):
            var reader = RejectsReader(file)
            while let entry = try reader.next() {
                guard case .reject(let reject, _) = entry, reject.canBeRetried else {
                    summary.unusable += 1
                    continue
                }
                var known = reject
                if reject.id > 0 {
                    guard let stored = try store.reject(reject.id) else {
                        summary.gone += 1
                        continue
                    }
                    guard stored.isSame(as: reject) else {
                        summary.foreign += 1
                        continue
                    }
                    known = stored
                }
                try output.add(reject, edited: known.raw == reject.raw ? nil : reject.raw)
            }
        }
        try output.flush()
        (groups, self.summary) = (output.groups, summary)
    }

    /// Writes two files for each group: its lines, and the rejects of these.
    private struct Output {
        let folder: String
        /// The runs of which the rejects of each source are a group.
        let runsByFile: Set<Int>
        private(set) var groups: [RetryGroup] = []
        private var numbers: [RetryGroup: Int] = [:]
        /// The bytes that are not written yet, by the numbers of their groups.
        private var waiting: [Int: (lines: [UInt8], rejects: [UInt8])] = [:]
        private var count = 0

        init(folder: String, runsByFile: Set<Int>) { (self.folder, self.runsByFile) = (folder, runsByFile) }

        mutating func add(_ reject: RejectedRecord, edited: [UInt8]?) throws {
            let group = RetryGroup(reject, byFile: runsByFile.contains(reject.run))
            let number = numbers[group] ?? groups.count
            if number == groups.count {
                numbers[group] = number
                groups.append(group)
                // Two blanks come first, so that the bytes of a reject are not taken for a compression or an encoding.
                waiting[number] = ([0x20, 0x20], [])
            }
            let line = group.line(of: reject)
            waiting[number, default: ([], [])].lines += line
            PendingRejects.Line(id: reject.id, edited: edited).append(to: &waiting[number, default: ([], [])].rejects)
            count += line.count + (edited?.count ?? 0)
            if count > 1 << 20 { try flush() }
        }

        mutating func flush() throws {
            for (number, bytes) in waiting {
                for (ending, bytes) in [("lines", bytes.lines), ("rejects", bytes.rejects)] {
                    let path = "\(folder)/\(number).\(ending)"
                    if !FileManager.default.fileExists(atPath: path) { try Data().write(to: URL(filePath: path)) }
                    let file = try FileHandle(forWritingTo: URL(filePath: path))
                    defer { try? file.close() }
                    try file.seekToEnd()
                    try file.write(contentsOf: bytes)
                }
            }
            (waiting, count) = ([:], 0)
        }
    }

    /// For each group the source, the route and the settings of its import.
    func plans(_ model: Model?, _ routes: [ImportRoute], _ options: RetryOptions) throws -> [RetryPlan] {
        try groups.indices.map { number in
            try RetryPlan(
                groups[number], lines(of: number), PendingRejects(at: "\(folder)/\(number).rejects"), entries, model,
                routes, options)
        }
    }

    /// The records of a group as NDJSON.
    package func lines(of group: Int) -> RetryLines {
        RetryLines(name: groups[group].file ?? name, file: FileSource("\(folder)/\(group).lines"), files: self)
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }
}
