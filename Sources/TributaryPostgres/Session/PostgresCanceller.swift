/// Ends the current statement of a connection, from any thread.
package struct PostgresCanceller: Sendable {
    let base: LibPQCanceller

    /// Asks the server to cancel the current statement, which then fails with `cancelled`.
    ///
    /// A request that arrives after the statement may cancel the next one.
    package func cancel() { base.cancel() }

    /// Ends the connection at once; a thread that waits for the server continues with `connectionLost`.
    ///
    /// The server rolls the open transaction back.
    package func disconnect() { base.disconnect() }
}
