/// Errors of properties that cannot be read.
///
/// Property getters cannot throw, so a property that cannot be read traps. During a save or a fetch it reads as empty
/// instead, and the call throws the kept error before the empty value has an effect.
extension ManagedObjectContext {
    /// Calls `body`, and throws the first read error that occurred in it.
    func throwingReadFailures<Result>(_ body: () throws -> Result) throws -> Result {
        let outer = readFailures.begin()
        defer { readFailures.end(outer) }
        let result = Swift.Result { try body() }
        // Other errors of `body` are consequences of the read error.
        try checkReads()
        return try result.get()
    }

    /// Runs setters of an import within the limits of the thread's session, and throws their first read error.
    package func runSetters(_ body: () throws -> Void) throws {
        var failure: (any Error)?
        do {
            try throwingReadFailures {
                do {
                    try StoreSession.restricted(body)
                } catch {
                    failure = error
                    throw error
                }
            }
        } catch let refusal as StoreAccess.Refusal {
            // The error of the body names the record.
            throw failure ?? refusal
        }
    }

    /// Throws the first read error since the innermost call began.
    func checkReads() throws {
        if let error = readFailures.first { throw error }
    }

    /// Keeps a read error if an enclosing call can throw it, and traps otherwise.
    func failedToRead(_ what: @autoclosure () -> String, _ error: any Error) {
        guard readFailures.record(error) else { fatalError("\(what()) cannot be read: \(error)") }
    }
}
