import Foundation
import Tributary
import TributaryHTTP

/// Keeps a database of products in step with a feed, and reports what has changed.
@main
struct NightlySync {
    @MainActor
    static func main() async {
        let words = Array(CommandLine.arguments.dropFirst())
        guard words.count == 3 else {
            print("usage: NightlySync DATABASE FEED FOLDER, with a file or an address as FEED")
            exit(64)
        }
        let folder = URL(filePath: words[2])
        let changes = folder.appending(path: "changes.ndjson").path
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            let report = await NightlySync(database: words[0], feed: words[1], changes: changes).report()
            print(report.text)
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
            encoder.dateEncodingStrategy = .iso8601
            try encoder.encode(report).write(to: folder.appending(path: "report.json"), options: .atomic)
            exit(report.exitCode)
        } catch {
            print("error: \(error)")
            exit(1)
        }
    }

    let database: String
    let feed: String
    /// The file for all changes of the night, a JSON object a line.
    let changes: String

    @MainActor
    private func report() async -> Report {
        var report = Report(feed: feed)
        do {
            try await run(&report)
        } catch let error as ImportError where error.code == .tooManyDeletions {
            // The records of the feed were imported all the same.
            report.add(.attention, error.reason)
        } catch {
            report.add(.failed, "\(error)")
        }
        return report
    }

    @MainActor
    private func run(_ report: inout Report) async throws {
        let manager = try ContextManager(model: Model(Product.self), store: .sqlite(database))
        defer { manager.close() }
        let source: any ByteSource = feed.contains("://") ? try URLSource(feed) : .file(feed)
        let sync = ImportOperation<Product>(into: manager, from: source, key: \.sku, options: options) {
            try $1.update(from: $0)
        }
        try await sync.run()
        // A file that has not changed since an earlier night is not read again.
        if case .alreadyFinished(let earlier) = sync.outcome { return report.addProblems(of: earlier) }
        report.addCounts(of: sync.summary)
        report.addProblems(of: sync.summary)
        report.changes = try await firstChanges(20)
        // Undoable runs keep the values that they have changed; those of a week are enough.
        for entry in try manager.imports.entries().dropLast(7) { try manager.imports.forget(run: entry.run) }
    }

    private var options: ImportOptions {
        var options = ImportOptions()
        options.sync = SyncOptions(feed: "products")
        // A feed that lacks more than a fifth of the products is not to be trusted.
        options.sync?.limit = .percent(20)
        options.onError = .quarantine
        options.maxErrors = .count(100)
        // After a night that failed, the feed is read from its start.
        options.resuming = .restart
        options.isUndoable = true
        options.changes = changes
        return options
    }

    /// The first changes in words; the file has all of them with their values.
    private func firstChanges(_ count: Int) async throws -> [String] {
        var lines: [String] = []
        for try await chunk in RecordReader(from: .file(changes)) {
            lines += try chunk.prefix(count - lines.count).map { record in
                let names = record["new"].members.map(\.key).joined(separator: ", ")
                let (kind, sku): (String, String) = (try record.require("change"), try record["key"].require("sku"))
                return kind == "updated" ? "updated \(sku): \(names)" : "\(kind) \(sku)"
            }
        }
        return lines
    }
}
