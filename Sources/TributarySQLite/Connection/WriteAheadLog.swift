import CTributarySQLite

/// What stands in the log beside a database, and when it goes into the database itself.
///
/// SQLite copies the log from time to time at the end of a commit, which then takes twice as long. Whoever writes may
/// leave that for later, and have it done by a thread that has nothing better to do.
final class WriteAheadLog {
    /// From how many pages on the log is copied, unless somebody lets it grow.
    static let threshold: Int32 = 500

    /// From how many pages on it is copied now.
    fileprivate var threshold = WriteAheadLog.threshold {
        didSet { due = threshold }
    }
    /// How many pages the log had at the latest commit, if it has not been copied since.
    private var pages: Int32 = 0
    /// From how many on it is copied next: later where somebody still reads what was there before.
    private var due = WriteAheadLog.threshold
    /// Whether it is time for `copy`.
    fileprivate var isDue: Bool { pages >= due }
    /// Whether a commit leaves the log as it is.
    fileprivate var isLeft = false

    /// SQLite calls it after each commit.
    ///
    /// A log that cannot be copied now is copied another time, and nothing is lost.
    static let callback:
        @convention(c) (
            UnsafeMutableRawPointer?, OpaquePointer?, UnsafePointer<CChar>?, Int32
        ) -> Int32 = { context, handle, _, pages in
            guard let context else { return SQLITE_OK }
            let log = Unmanaged<WriteAheadLog>.fromOpaque(context).takeUnretainedValue()
            log.pages = pages
            if !log.isLeft, log.isDue { log.copy(of: handle) }
            return SQLITE_OK
        }

    fileprivate func copy(of handle: OpaquePointer?) {
        var (all, copied): (Int32, Int32) = (0, 0)
        let result = sqlite3_wal_checkpoint_v2(handle, nil, SQLITE_CHECKPOINT_PASSIVE, &all, &copied)
        let isWhole = result == SQLITE_OK && copied >= all
        due = threshold + (isWhole ? 0 : max(all, pages))
        pages = 0
    }
}

extension Connection {
    /// Runs `body`, whose commits leave the log as it is.
    package func leavingLog<Result>(_ body: () throws -> Result) rethrows -> Result {
        log.isLeft = true
        defer { log.isLeft = false }
        return try body()
    }

    /// Lets the log have so many pages before it is copied, as many as usual if nil: copying seldom spares waiting for the
    /// disk, and what comes at once must be waited for at once.
    package func letLogGrow(to pages: Int?) { log.threshold = pages.map { Int32($0) } ?? WriteAheadLog.threshold }

    /// Whether it is time for `copyLog`.
    package var isLogDue: Bool { log.isDue }

    /// Copies the log into the database, as far as nobody reads what was there before.
    package func copyLog() { log.copy(of: handle) }
}
