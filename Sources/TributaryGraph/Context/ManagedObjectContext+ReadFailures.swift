/// What cannot be read where nobody can throw.
///
/// A property that cannot be read traps, for it has no other way. Inside of a save or a fetch there is one: the property
/// reads as nothing, the failure is kept, and the call throws it before anything comes of that.
extension ManagedObjectContext {
    /// Calls `body`, and throws the first thing that could not be read in it.
    func throwingReadFailures<Result>(_ body: () throws -> Result) throws -> Result {
        let outer = readFailures.begin()
        defer { readFailures.end(outer) }
        let result = Swift.Result { try body() }
        // Whatever else has gone wrong comes from that.
        try checkReads()
        return try result.get()
    }

    /// Runs setters of an import: they may use what the session of the thread allows, and what their properties cannot read
    /// is thrown in the end.
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

    /// Throws what could not be read meanwhile.
    func checkReads() throws {
        if let error = readFailures.first { throw error }
    }

    /// Something could not be read: keeps the error if somebody can throw it, and traps otherwise.
    func failedToRead(_ what: @autoclosure () -> String, _ error: any Error) {
        guard readFailures.record(error) else { fatalError("\(what()) cannot be read: \(error)") }
    }
}
