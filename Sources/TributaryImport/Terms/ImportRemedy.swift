/// The remedy for an error of an import, which a program may word differently.
public struct ImportRemedy: Sendable, Hashable, CustomStringConvertible {
    private enum Kind {
        case quarantine, raiseErrorLimit, takeContext, restart, wait, addColumns, chooseContent, appendContent,
            finishEarlier, finishOrForget, restoreSource, restoreTable, raiseDeletionLimit, checkKey
    }
    private let kind: Kind
    /// A number that the remedy needs.
    public private(set) var number: Int?

    /// Fix the record, or keep invalid records: `onError` is `.quarantine`.
    public static let quarantine = ImportRemedy(kind: .quarantine)
    /// Check the name of the key, or keep records without it: `onError` is `.quarantine`.
    public static let checkKey = ImportRemedy(kind: .checkKey)
    /// Inspect the rejects, or tolerate more of them.
    public static let raiseErrorLimit = ImportRemedy(kind: .raiseErrorLimit)
    /// Write the setter with a third argument.
    public static let takeContext = ImportRemedy(kind: .takeContext)
    /// Restore the earlier source, or begin from the start.
    public static let restart = ImportRemedy(kind: .restart)
    /// Wait until the same import has ended.
    public static let wait = ImportRemedy(kind: .wait)

    /// Add columns for members without one, or name a column for them.
    public static let addColumns = ImportRemedy(kind: .addColumns)

    /// Say whether the records are added to the table or replace it: `appendsChanged` or `truncates`.
    public static let chooseContent = ImportRemedy(kind: .chooseContent)
    /// Say that the records are added to tables that cannot be emptied first: `appendsChanged`.
    public static let appendContent = ImportRemedy(kind: .appendContent)
    /// Finish or forget the unfinished import first.
    public static let finishEarlier = ImportRemedy(kind: .finishEarlier)
    /// Finish the unfinished import first, or forget it, of tables that cannot be emptied first.
    public static let finishOrForget = ImportRemedy(kind: .finishOrForget)

    /// Restore the earlier source, or delete its rows and forget its import, of a table without a key.
    public static let restoreSource = ImportRemedy(kind: .restoreSource)

    /// Restore the table that another program has changed, or forget its entity and start over.
    public static let restoreTable = ImportRemedy(kind: .restoreTable)

    /// Look at the feed, or allow the deletion of this number of rows.
    public static func raiseDeletionLimit(_ count: Int) -> ImportRemedy {
        ImportRemedy(kind: .raiseDeletionLimit, number: count)
    }

    /// Whether the remedy is a higher limit of deletions.
    public var raisesDeletionLimit: Bool { kind == .raiseDeletionLimit }

    /// The remedy in terms of the library.
    public var description: String {
        switch kind {
        case .quarantine: "fix the record, or set onError to .quarantine"
        case .checkKey: "check the name of the key; if only some records lack it, set onError to .quarantine"
        case .raiseErrorLimit: "inspect the rejects, or raise maxErrors"
        case .takeContext: "take the context as a third argument"
        case .restart: "restore the earlier source, or set resuming to .restart"
        case .wait: "wait until it has ended"
        case .chooseContent: "set truncates or appendsChanged, or name a key"
        case .appendContent: "set appendsChanged, or name a key"
        case .finishEarlier: "finish it with the sources it had, or forget it"
        case .finishOrForget: "finish it with the sources it had, or delete its rows and forget it"
        case .restoreSource: "restore the earlier source, or delete the rows of the run and forget it"
        case .restoreTable: "restore it, or call imports.forget(entity:) to start over"
        case .raiseDeletionLimit: "look at the feed, or set sync.limit to .count(\(number ?? 0))"
        case .addColumns: "set addsColumns, or name the column rest that takes them as JSON"
        }
    }
}
