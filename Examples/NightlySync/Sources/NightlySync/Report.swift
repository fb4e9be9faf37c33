import Foundation
import Tributary

/// What a night has changed: printed, and written as JSON for programs that watch it.
struct Report: Encodable {
    /// How a night can end; `attention` asks for a look at the feed.
    enum Result: String, Encodable { case changed, unchanged, attention, failed }

    let feed: String
    let started = Date()
    var result = Result.unchanged
    /// The number of the run, by which it can be undone.
    var run: Int?
    var (read, inserted, updated, deleted, rejected) = (0, 0, 0, 0, 0)
    /// Why the result is `attention` or `failed`.
    var messages: [String] = []
    /// The first changes, in words.
    var changes: [String] = []

    init(feed: String) { self.feed = feed }

    var exitCode: Int32 { result == .failed ? 1 : result == .attention ? 3 : 0 }

    /// The report as lines of text.
    var text: String {
        let counts = "\(read) read, \(inserted) inserted, \(updated) updated, \(deleted) deleted, \(rejected) rejected"
        return (["\(feed): \(result)", counts] + messages + changes).joined(separator: "\n  ")
    }

    /// Adds the counts of a run of this night.
    mutating func addCounts(of summary: ImportSummary) {
        (run, read, inserted, updated) = (summary.run, summary.read, summary.inserted, summary.updated)
        (deleted, rejected) = (summary.sync?.deletedCount ?? 0, summary.rejected)
        if inserted + updated + deleted > 0 { result = .changed }
    }

    /// Adds what is wrong with the feed of a run.
    mutating func addProblems(of summary: ImportSummary) {
        if summary.rejected > 0 { add(.attention, "run \(summary.run) has rejected records, and kept them") }
        guard let sync = summary.sync, sync.unidentified > 0 else { return }
        add(.attention, "nothing was deleted: the feed has records without a key, or is cut short")
    }

    /// Adds a message, and sets the result.
    mutating func add(_ result: Result, _ message: String) {
        self.result = result
        messages.append(message)
    }
}
