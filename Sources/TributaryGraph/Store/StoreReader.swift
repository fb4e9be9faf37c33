package import TributarySQLite

/// A connection that reads, and its table for keys.
///
/// `@unchecked Sendable`: whoever has it hands it on when he has done with it, so one thread uses it at a time.
package struct StoreReader: @unchecked Sendable {
    /// The connection.
    package let connection: Connection
    /// What its queries join.
    package let keys: KeyTable
}
