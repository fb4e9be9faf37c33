import TributaryGraph
import TributaryJSON
import TributarySQLite

/// The steps after everything has been read.
extension ImportRun {
    /// The number of held-back rows that are applied in one transaction.
    private var slice: Int { min(50_000, plan.memory.group >> 9) }

    /// Creates the indexes, applies held-back records, and checks the counts; false if the import is stopped.
    func finishRoutes() throws -> Bool {
        if journal.entry.phase == .indexes {
            if watch.isStopped { return false }
            watch.phase = .buildingIndexes
            try commit { connection in
                for writer in writers { try writer.makeIndexes(on: connection) }
                journal.entry.phase = .heldBack
            }
        }
        watch.phase = .applyingRepeatedKeys
        guard try applyAll() else { return false }
        try checkErrorLimit(isAtEnd: true)
        guard summary.isBalanced, summary.waiting == 0 else {
            throw ImportError(
                .books, "internal error: the counts do not add up: \(summary)", hint: "please report it")
        }
        try commit { _ in
            journal.entry.phase = .done
            journal.entry.state = .finished
        }
        watch.phase = .finished
        return true
    }

    // MARK: Records that were held back

    /// Whether records are held back that come before the next chunk, because a first load has ended early.
    var hasHeldBack: Bool { writers.contains(where: \.hasHeldBack) }

    /// Applies held-back records, some in each transaction; false if the import is stopped.
    func applyHeldBack() throws -> Bool { try !hasHeldBack || applyAll() }

    /// Applies the held-back records of routes whose first load has ended; false if the import is stopped.
    private func applyAll() throws -> Bool {
        for route in writers.indices where writers[route].firstLoad == nil {
            var hasMore = true
            while hasMore {
                try commit { hasMore = try applySome(of: route, $0) }
                try checkErrorLimit()
                if watch.isStopped { return false }
            }
        }
        return true
    }

    /// Applies some held-back records of a route; false if none are left.
    func applySome(of route: Int, _ connection: Connection) throws -> Bool {
        if let rows = writers[route] as? RowRouteWriter {
            let applied = try rows.applyHeldBack(slice, bytes: plan.memory.group / 4, on: connection)
            guard let (outcome, origins) = applied else { return false }
            count(outcome, route: route)
            summary.waiting -= outcome.total
            for refused in outcome.refused.sorted(by: { $0.row < $1.row }) {
                try reject(RowOrigin(origins[refused.row]).reject(refused.fault.error), route: route, connection)
            }
        } else if let objects = writers[route] as? ObjectRouteWriter {
            let applied = try objects.applyHeldBack(slice / 5, bytes: plan.memory.group / 8, on: connection)
            guard let outcome = applied else { return false }
            count(outcome.counts)
            summary.waiting -= outcome.counts.total
            for rejected in outcome.rejects { try reject(rejected, route: route, connection) }
        }
        return true
    }

    /// Rejects a held-back record, which may end the import.
    private func reject(_ reject: Reject, route: Int, _ connection: Connection) throws {
        guard options.onError == .stop else { return try recordReject(reject, route: route, on: connection) }
        throw ImportError(.rejected, "\(reject.error)", remedy: .quarantine)
    }
}
