/// An import or a sync of a feed into a table.
struct SessionLoad: Codable, Hashable, Sendable {
    var isSync = false
    /// The table, as a position in the tables of the session.
    var table: Int
    /// The content of the file from now on.
    var feed: SessionFeed
    var mode = "upsert"
    /// What happens to rejected records: stop, skip or quarantine.
    var policy = "quarantine"
    var isDryRun = false
    var isUndoable = false
    /// Whether the changes are written to a file.
    var listsChanges = false
    var isStaged = false
    /// The rows that a staged table must have.
    var expected: Int?
    var truncates = false
    var appends = false
    var again = false
    var isDirect = false
    /// The name of the feed of a sync; nil for that of the table.
    var feedName: String?
    /// Whether at most one row, or a tenth, may be deleted.
    var isLimited = false
    /// Whether a column marks deleted rows.
    var isSoft = false
    /// Only rows whose `id` is below this number are deleted.
    var scope: Int?
    /// Whether the scope names a column that the table does not have.
    var misfits = false
    /// Whether the file is inspected before, and the profile given to the command.
    var isProfiled = false
    /// Whether the command makes a full-text index.
    var searches = false
    /// The filter of the records.
    var filter: SessionFilter?
    /// What becomes of the values of columns.
    var rules = SessionRules()
    /// Whether the command makes an index of the key, and a unique one of `tag`.
    var makesIndexes = false
    /// Options that change neither rows nor counts.
    var neutral: [String] = []
    /// The moment at which the command fails before it is repeated.
    var fault: SessionFault?

    /// Whether the changes of the run are kept.
    var keepsChanges: Bool { isUndoable || listsChanges }

    /// The words of the command.
    func words(_ place: SessionPlace) -> [String] {
        let table = place.tables[table]
        var words = [isSync ? "sync" : "import", place.database, place.path(feed.fileName)]
        words += table.words(place) + ["--json", "--on-error", policy] + neutral
        if mode != "upsert" { words += ["--mode", mode] }
        for (isOn, option) in [
            (isDryRun, "--dry-run"), (isUndoable, "--undoable"), (isStaged, "--staged"), (truncates, "--truncate"),
            (appends, "--append"), (again, "--again"),
        ] where isOn { words.append(option) }
        if isDirect { words += ["--first-load", "direct"] }
        if listsChanges { words += ["--changes", place.path("changes.ndjson")] }
        if let expected { words += ["--expect-min", "\(expected)"] }
        if isSync, !isLimited { words += ["--max-delete", "100%"] }
        if let feedName { words += ["--feed", feedName] }
        if isSoft { words += ["--soft-delete", "gone"] }
        if misfits { words += ["--scope", "nothing < 1"] }
        if let scope { words += ["--scope", "id < \(scope)"] }
        if let filter { words += ["--where", filter.text] }
        words += rules.words
        if isProfiled { words += ["--profile", place.path("profile.json")] }
        return words
    }
}
