package import TributaryStore
package import TributaryJSON
package import TributarySQLite

/// The rows to write of objects for which a setter was called ahead of the thread that writes, what became of all
/// records, and the rejects among them.
package typealias ObjectEvaluation = (rows: RowBatch, comparison: RowComparison, rejects: [Reject])

/// Makes and changes the objects of a route in contexts, as a setter says.
///
/// It is called for the records of a chunk or a group together, never for each of them.
package protocol ObjectWork: Sendable {
    /// Keeps the saves of the thread that writes from now on, to be announced after the commit.
    func bufferSaves()
    /// What announces the saves of the thread that writes since the last call; nil if there are none.
    func takeSaves() -> (@Sendable () -> Void)?

    /// Calls the setter for records in feed order, and saves the changed objects through the connection that writes.
    ///
    /// - Throws: `ImportError` if a setter used more than its scope allows; errors of the store.
    func apply(_ records: [Record], _ numbers: RowNumbers, on connection: Connection) throws -> ObjectOutcome

    /// Calls the setter for records of a chunk, in their order, on any thread.
    ///
    /// - Parameters:
    ///   - records: The records of the chunk that are not deferred.
    ///   - isFirst: Whether all keys are new, so that no object is looked up.
    ///   - repeatsKeys: Whether records may share a key.
    ///   - reader: The connection to look objects up with.
    /// - Returns: The rows and rejects of the records.
    /// - Throws: `ImportError` if a setter used more than its scope allows; errors of the store and of saving.
    func evaluate(
        _ records: KeyedRecords, isFirst: Bool, repeatsKeys: Bool, reader: Connection
    ) throws -> ObjectEvaluation
}
