import TributaryImport

/// What a sync has deleted, as text and as JSON.
enum SyncText {
    /// What needs attention, as a line; nil if nothing does.
    static func warning(_ sync: SyncSummary?) -> String? {
        guard let sync, sync.unidentified > 0 else { return sync?.refusal }
        let keys =
            "the \(sync.unidentified == 1 ? "key" : "keys") of \(FigureText.counted(sync.unidentified, "record"))"
        return "nothing was deleted: \(keys) could not be read; fix the feed, and repeat the sync"
    }

    /// The deleted rows as a line of the summary; empty if there are none.
    static func line(_ sync: SyncSummary?) -> String {
        guard let sync else { return "" }
        var parts: [String] = []
        if sync.deletedCount > 0 {
            let what = sync.softDeleted == nil ? "deleted" : "marked as deleted"
            parts.append("no longer in the feed, \(what): \(SummaryReport.tables(sync.deleted))")
        }
        if sync.restored > 0 { parts.append("back in the feed: \(FigureText.grouped(sync.restored))") }
        return parts.isEmpty ? "" : parts.joined(separator: "; ") + "\n"
    }

    /// Adds the outcome as an object.
    static func add(_ sync: SyncSummary, to writer: inout JSONLineWriter) {
        writer.add("sync") { object in
            object.add("feed", sync.feed)
            object.add("deleted", sync.deleted)
            object.add("isSoft", sync.softDeleted != nil)
            object.add("restored", sync.restored)
            object.add("unidentified", sync.unidentified)
            object.add("refusal", sync.refusal)
        }
    }
}
