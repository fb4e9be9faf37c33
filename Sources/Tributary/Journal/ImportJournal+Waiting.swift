import TributaryStore
package import TributarySQLite

extension ImportJournal {
    /// The number of references to objects that are not there yet, by relationship, as `Book.author`.
    ///
    /// An import that brings the objects resolves them.
    ///
    /// - Throws: `StoreError` or `SQLiteError` if the store cannot be read.
    public func waitingReferences() throws -> [String: Int] { try store.read { try Self.waitingReferences(on: $0) } }

    /// The number of references to objects that are not there yet, by relationship.
    ///
    /// - Throws: `SQLiteError`.
    package static func waitingReferences(on connection: Connection) throws -> [String: Int] {
        var counts: [String: Int] = [:]
        for (text, count) in try WaitingTable.counts(on: connection) {
            let name = RelationName(text).map { "\($0.entity).\($0.relationship)" } ?? text
            counts[name, default: 0] += count
        }
        return counts
    }
}
