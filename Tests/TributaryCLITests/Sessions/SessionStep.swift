/// A step of a session: one command, or what another program does to the database.
enum SessionStep: Codable, Hashable, Sendable {
    case load(SessionLoad)
    case retry(SessionRetry)
    case undo(isDryRun: Bool)
    case forget(table: Int)
    /// The database gets this version of its model.
    case migrate(version: Int, isDryRun: Bool)
    /// A seed file plants objects with these keys.
    case seed([Int])
    /// Another program sets a column of the row at a position, of those that are there.
    case edit(table: Int, row: Int, value: SessionValue)
    /// Another program makes triggers that list the changes of a table of this library.
    case audit(table: Int)
    /// The database is exported, and its files are imported into another one.
    case export
}

/// A retry of the rejects of the database.
struct SessionRetry: Codable, Hashable, Sendable {
    /// Whether the rejects come from a file, in which some are fixed.
    var isFile: Bool
    /// Each reject whose number is a multiple of it is fixed.
    var fixed = 2
    var isDryRun = false
}

/// A command that is killed, or finds the disk full.
struct SessionFault: Codable, Hashable, Sendable {
    var isKill: Bool
    /// The number of the call that changes files at which that happens.
    var call: Int
}
