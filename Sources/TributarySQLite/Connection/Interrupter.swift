import CTributarySQLite

/// Interrupts the running statement of a connection.
///
/// `@unchecked Sendable`: `sqlite3_interrupt` may be called from any thread while the connection is open; the owner of
/// the interrupter keeps it open.
public struct Interrupter: @unchecked Sendable {
    let handle: OpaquePointer

    /// Ends the running statement with the code `interrupted`.
    public func interrupt() { sqlite3_interrupt(handle) }
}
