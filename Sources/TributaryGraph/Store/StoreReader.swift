package import TributarySQLite

/// A connection that reads, and its table for keys.
///
/// `@unchecked Sendable`: whoever has it hands it on when he has done with it, so one thread uses it at a time.
package final class StoreReader: @unchecked Sendable {
    /// The connection.
    package let connection: Connection
    /// What its queries join.
    package let keys: KeyTable
    /// Whether the latest walk through an index has ended with the greatest key.
    private var isHigh = false

    init(connection: Connection, keys: KeyTable) {
        self.connection = connection
        self.keys = keys
    }

    /// Keys that ascend, in the order in which they are best looked up: from where the latest walk has ended, whose pages
    /// are still in memory, to the other end.
    func walk(_ ascending: [Int]) -> [Int] {
        isHigh.toggle()
        return isHigh ? ascending : ascending.reversed()
    }
}
