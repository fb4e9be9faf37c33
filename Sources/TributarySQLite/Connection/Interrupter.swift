import CTributarySQLite

/// Interrupts what a connection is doing.
///
/// `@unchecked Sendable`: `sqlite3_interrupt` may be called from any thread while the connection is open, which whoever
/// holds this sees to.
public struct Interrupter: @unchecked Sendable {
    let handle: OpaquePointer

    /// The statement that runs ends with the code `interrupted`.
    public func interrupt() { sqlite3_interrupt(handle) }
}
