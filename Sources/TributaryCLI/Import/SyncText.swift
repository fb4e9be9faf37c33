import Tributary
import TributaryJSON

/// What a sync has deleted, as text and as JSON.
enum SyncText {
    /// What needs attention, as lines.
    static func lines(_ summary: ImportSummary, isDryRun: Bool) -> [String] {
        guard let sync = summary.sync else { return [] }
        if sync.unidentified > 0 {
            let keys =
                sync.unidentified == 1
                ? "the key of 1 record" : "the keys of \(Progress.grouped(sync.unidentified)) records"
            return ["nothing was deleted: \(keys) could not be read; fix the feed, and repeat the sync"]
        }
        if let refusal = sync.refusal { return [refusal] }
        return []
    }

    /// The deleted rows as a line of the summary; empty if there are none.
    static func line(_ sync: SyncSummary?) -> String {
        guard let sync else { return "" }
        var parts: [String] = []
        if sync.deletedCount > 0 {
            let counts = sync.deleted.sorted { $0.key < $1.key }.map {
                "\(Excerpt.escape($0.key)) \(Progress.grouped($0.value))"
            }
            let what = sync.softDeleted == nil ? "deleted" : "marked as deleted"
            parts.append("no longer in the feed, \(what): \(counts.joined(separator: ", "))")
        }
        if sync.restored > 0 { parts.append("back in the feed: \(Progress.grouped(sync.restored))") }
        return parts.isEmpty ? "" : parts.joined(separator: "; ") + "\n"
    }

    /// The outcome as a JSON object.
    static func json(_ sync: SyncSummary) -> [UInt8] {
        var deleted = JSONLineWriter()
        for (entity, count) in sync.deleted.sorted(by: { $0.key < $1.key }) { deleted.add(entity, count) }
        var writer = JSONLineWriter()
        writer.add("feed", sync.feed)
        writer.add("deleted", json: deleted.finish().dropLast())
        writer.add("isSoft", sync.softDeleted != nil)
        writer.add("restored", sync.restored)
        writer.add("unidentified", sync.unidentified)
        if let refusal = sync.refusal { writer.add("refusal", refusal) } else { writer.addNull("refusal") }
        return Array(writer.finish().dropLast())
    }
}
