import CTributarySQLite

/// The size of a write-ahead log, and when it is checkpointed, that is, copied into its database.
///
/// SQLite checkpoints at the end of a commit from time to time, and such a commit takes twice as long. The writer can
/// defer checkpoints and run them on an idle thread.
package final class WriteAheadLog {
    /// The default number of pages at which the log is checkpointed.
    package static let threshold: Int32 = 500

    /// The number of pages at which the log is checkpointed.
    ///
    /// Rare checkpoints wait less for the disk in total, but each one takes longer.
    package var threshold = WriteAheadLog.threshold {
        didSet { nextThreshold = threshold }
    }
    /// The number of pages at the latest commit, or 0 after a checkpoint.
    private var pages: Int32 = 0
    /// The number of pages for the next checkpoint, which is higher while readers of older pages block a full one.
    private var nextThreshold = WriteAheadLog.threshold
    /// Whether a checkpoint is due.
    package var isDue: Bool { pages >= nextThreshold }
    /// Whether commits do not checkpoint.
    package var isDeferred = false

    /// Called after each commit; a log that cannot be checkpointed now is checkpointed later, and nothing is lost.
    func endCommit(_ handle: OpaquePointer?, pages: Int32) {
        self.pages = pages
        if !isDeferred, isDue { checkpoint(handle) }
    }

    fileprivate func checkpoint(_ handle: OpaquePointer?) {
        var (all, copied): (Int32, Int32) = (0, 0)
        let result = sqlite3_wal_checkpoint_v2(handle, nil, SQLITE_CHECKPOINT_PASSIVE, &all, &copied)
        let isWhole = result == SQLITE_OK && copied >= all
        nextThreshold = threshold + (isWhole ? 0 : max(all, pages))
        pages = 0
    }
}

extension Connection {
    /// Checkpoints the log, up to the first page whose older version is still being read.
    package func checkpoint() { log.checkpoint(handle) }

    /// Checkpoints the log and empties its file, unless others are reading it.
    package func truncateLog() { try? execute("PRAGMA wal_checkpoint(TRUNCATE)") }
}
