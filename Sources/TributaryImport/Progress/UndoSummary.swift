public import TributarySQLite

/// What the undo of a run has changed.
public struct UndoSummary: Sendable, Hashable {
    /// A row that was left as it is.
    public struct KeptRow: Sendable, Hashable {
        /// The table.
        public let table: String
        /// The values that identify the row.
        public let key: [SQLValue]
        /// Why it was left.
        public let reason: String
    }

    /// The number of the run.
    public let run: Int
    /// For each table the number of rows that the run had made, and which are deleted now.
    public let deleted: [String: Int]
    /// For each table the number of rows that the run had changed, and which have their earlier values again.
    public let restored: [String: Int]
    /// For each table the number of rows that the run had deleted, and which are there again.
    public let inserted: [String: Int]
    /// The number of rows that were left as they are, since they were edited after the run, or others need them.
    public let keptCount: Int
    /// The first thousand rows that were left as they are.
    public let kept: [KeptRow]
}
