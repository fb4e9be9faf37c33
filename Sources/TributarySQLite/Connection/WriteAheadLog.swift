import CTributarySQLite

/// The size of a write-ahead log, and when it is checkpointed, that is, copied into its database.
///
/// SQLite checkpoints at the end of a commit from time to time, and such a commit takes twice as long. The writer can
/// defer checkpoints and run them on an idle thread.
final class WriteAheadLog {
    /// The default number of pages at which the log is checkpointed.
    static let threshold: Int32 = 500

    /// The number of pages at which the log is checkpointed.
    fileprivate var threshold = WriteAheadLog.threshold {
        didSet { nextThreshold = threshold }
    }
    /// The number of pages at the latest commit, or 0 after a checkpoint.
    private var pages: Int32 = 0
    /// The number of pages for the next checkpoint, which is higher while readers of older pages block a full one.
    private var nextThreshold = WriteAheadLog.threshold
    /// Whether a checkpoint is due.
    fileprivate var isDue: Bool { pages >= nextThreshold }
    /// Whether commits do not checkpoint.
    fileprivate var isDeferred = false

    /// The callback of SQLite after each commit.
    ///
    /// A log that cannot be checkpointed now is checkpointed later, and nothing is lost.
    static let callback:
        @convention(c) (
            UnsafeMutableRawPointer?, OpaquePointer?, UnsafePointer<CChar>?, Int32
        ) -> Int32 = { context, handle, _, pages in
            guard let context else { return SQLITE_OK }
            let log = Unmanaged<WriteAheadLog>.fromOpaque(context).takeUnretainedValue()
            log.pages = pages
            if !log.isDeferred, log.isDue { log.checkpoint(handle) }
            return SQLITE_OK
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
    /// Runs `body`, whose commits do not checkpoint the log.
    package func deferringCheckpoints<Result>(_ body: () throws -> Result) rethrows -> Result {
        log.isDeferred = true
        defer { log.isDeferred = false }
        return try body()
    }

    /// Sets the number of pages at which the log is checkpointed, or the default if nil.
    ///
    /// Rare checkpoints wait less for the disk in total, but each one takes longer.
    package func setCheckpointThreshold(pages: Int?) {
        log.threshold = pages.map { Int32($0) } ?? WriteAheadLog.threshold
    }

    /// The number of pages at which the log is checkpointed.
    package var checkpointThreshold: Int { Int(log.threshold) }

    /// Whether a checkpoint of the log is due.
    package var isCheckpointDue: Bool { log.isDue }

    /// Checkpoints the log, up to the first page whose older version is still being read.
    package func checkpoint() { log.checkpoint(handle) }
}
