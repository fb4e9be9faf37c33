import TributaryStore
import TributaryJSON
import TributarySQLite

/// The steps after everything has been read.
extension ImportRun {
    /// The number of held-back records that are applied together.
    private var slice: Int { min(50_000, plan.memory.group >> 9) }

    /// Publishes loads, applies held-back records, and checks the counts; false if the import is stopped.
    func finishRoutes() throws -> Bool {
        if journal.entry.phase == .publishing {
            if watch.isStopped { return false }
            if let survey = options.survey {
                try survey.end()
                try commit { try StoredModel.mark(ofSample: false, on: $0) }
            }
            if related != nil, try !endRelatedLoad() { return false }
            let loaded = isLoading
            guard try finishLoads() else { return false }
            do {
                publishes = loaded
                defer { publishes = false }
                try publishing { connection in
                    watch.phase = .applyingRepeatedKeys
                    for route in writers.indices {
                        while try applySome(of: route, connection) {
                            try options.checkRejects(of: summary)
                            if watch.isStopped { throw CancellationError() }
                        }
                    }
                    try resolveWaiting(connection)
                    try deleteGoneRows(connection)
                    // Of stubs and of rows whose references were resolved, before others are derived from these.
                    try derive(on: connection)
                    try deriveFromOthers(on: connection)
                    try finish()
                }
            } catch is CancellationError where watch.isStopped {
                return false
            }
        }
        watch.phase = .finished
        return true
    }

    private func finish() throws {
        try options.checkRejects(of: summary, isAtEnd: true)
        try summary.checkBalance()
        journal.entry.phase = .done
        journal.entry.state = .finished
    }

    // MARK: Records that were held back

    /// Applies some held-back records of a route; false if none are left.
    private func applySome(of route: Int, _ connection: Connection) throws -> Bool {
        let applied = try writers[route].applyHeldBack(slice, bytes: plan.memory.heldBack, on: connection)
        guard let applied else { return false }
        count(applied, route: route)
        summary.waiting -= applied.total
        for (_, rejected) in applied.rejects { try reject(rejected, route: route, connection) }
        return true
    }

    /// Rejects a held-back record, which may end the import.
    func reject(_ reject: Reject, route: Int, _ connection: Connection) throws {
        guard options.onError == .stop else { return try recordReject(reject, route: route, on: connection) }
        throw ImportError.rejected(reject.error)
    }
}
