/// The remedy for an error of an import, which a program may word differently.
public struct ImportRemedy: Sendable, Hashable, CustomStringConvertible {
    /// The remedy in terms of the library.
    public let description: String
    /// A number that the remedy needs.
    public let number: Int?

    private init(_ description: String, number: Int? = nil) { (self.description, self.number) = (description, number) }

    /// Fix the record, or keep invalid records: `onError` is `.quarantine`.
    public static let quarantine = ImportRemedy("fix the record, or set onError to .quarantine")
    /// Check the name of the key, or keep records without it: `onError` is `.quarantine`.
    public static let checkKey = ImportRemedy(
        "check the name of the key; if only some records lack it, set onError to .quarantine")
    /// Inspect the rejects, or tolerate more of them.
    public static let raiseErrorLimit = ImportRemedy("inspect the rejects, or raise maxErrors")
    /// Write the setter with a third argument.
    public static let takeContext = ImportRemedy("take the context as a third argument")
    /// Restore the earlier source, or begin from the start.
    public static let restart = ImportRemedy("restore the earlier source, or set resuming to .restart")
    /// Resume the import of a pipe from a pipe that delivers the same bytes.
    public static let usePipe = ImportRemedy("resume it from a pipe again")
    /// Resume the import of a file that was standard input with that file as standard input.
    public static let useFile = ImportRemedy("resume it with the file as standard input again")
    /// Wait until the same import has ended.
    public static let wait = ImportRemedy("wait until it has ended")

    /// Add columns for members without one, or name a column for them.
    public static let addColumns = ImportRemedy("set addsColumns, or name the column rest that takes them as JSON")

    /// Say whether the records are added to the table or replace it: `appendsChanged` or `truncates`.
    public static let chooseContent = ImportRemedy("set truncates or appendsChanged, or name a key")
    /// Say that the records are added to tables that cannot be emptied first: `appendsChanged`.
    public static let appendContent = ImportRemedy("set appendsChanged, or name a key")
    /// Finish or forget the unfinished import first.
    public static let finishEarlier = ImportRemedy("finish it with the sources it had, or forget it")
    /// Finish the unfinished import first, or forget it: its tables cannot be emptied before.
    public static let finishOrForget = ImportRemedy(
        "finish it with the sources it had, or delete its rows and forget it")

    /// Restore the earlier source of a table without a key, or delete its rows and forget its import.
    public static let restoreSource = ImportRemedy(
        "restore the earlier source, or delete the rows of the run and forget it")

    /// Restore the table that another program has changed, or forget its entity and start over.
    public static let restoreTable = ImportRemedy("restore it, or call imports.forget(entity:) to start over")

    /// Import all records, and limit what is deleted by a scope.
    public static let limitDeletions = ImportRemedy("import all records, and limit the deletions by sync.scope")

    /// Leave out records of most values of a member.
    public static let filterValues = ImportRemedy("leave out most of them by a filter")

    /// Inspect the feed, or allow the deletion of this number of rows.
    public static func raiseDeletionLimit(_ count: Int) -> ImportRemedy {
        ImportRemedy("look at the feed, or set sync.limit to .count(\(count))", number: count)
    }
}
