import TributaryGraph
import TributaryJSON
import TributarySQLite

/// What is left to do when everything has been read.
extension ImportRun {
    /// Rows that were held back and are applied in one transaction.
    private var slice: Int { min(50_000, plan.memory.group >> 9) }

    /// Makes the indexes, applies what was held back, and checks the counts; false if it is stopped before that.
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
        guard books.isBalanced, books.waiting == 0 else {
            throw ImportError(
                .books, "internal error: the counts do not add up: \(books)", hint: "please report it")
        }
        try commit { _ in
            journal.entry.phase = .done
            journal.entry.state = .finished
        }
        watch.phase = .finished
        return true
    }

    // MARK: Records that were held back

    /// Whether records may be held back that come before all that is taken next: a first load has ended early.
    var hasHeldBack: Bool { writers.contains(where: \.hasHeldBack) }

    /// Applies what is held back, some in each transaction; false if it is stopped before the end.
    func applyHeldBack() throws -> Bool { try !hasHeldBack || applyAll() }

    /// Applies all that was held back where the first load has ended; false if it is stopped before the end.
    private func applyAll() throws -> Bool {
        for route in writers.indices where writers[route].firstLoad == nil {
            var isFound = true
            while isFound {
                try commit { isFound = try applySome(of: route, $0) }
                try checkErrorLimit()
                if watch.isStopped { return false }
            }
        }
        return true
    }

    /// Applies some of what a route has held back; false if nothing is left.
    func applySome(of route: Int, _ connection: Connection) throws -> Bool {
        if let rows = writers[route] as? RowRouteWriter {
            let taken = try rows.takeHeldBack(slice, bytes: plan.memory.group / 4, on: connection)
            guard let (outcome, origins) = taken else { return false }
            count(outcome, route: route)
            books.waiting -= outcome.total
            for refused in outcome.refused.sorted(by: { $0.row < $1.row }) {
                try reject(RowOrigin(origins[refused.row]).reject(refused.fault.error), route: route, connection)
            }
        } else if let objects = writers[route] as? ObjectRouteWriter {
            let taken = try objects.takeHeldBack(slice / 5, bytes: plan.memory.group / 8, on: connection)
            guard let outcome = taken else { return false }
            count(outcome.counts)
            books.waiting -= outcome.counts.total
            for rejected in outcome.rejects { try reject(rejected, route: route, connection) }
        }
        return true
    }

    /// Rejects a record that was held back; the first one may end the import.
    private func reject(_ reject: Reject, route: Int, _ connection: Connection) throws {
        guard options.onError == .stop else { return try recordReject(reject, route: route, on: connection) }
        throw ImportError(.rejected, "\(reject.error)", remedy: .quarantine)
    }
}
