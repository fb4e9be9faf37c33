import TributaryGraph
import TributaryJSON
import TributarySQLite

/// What is left to do when everything has been read.
extension ImportRun {
    /// Rows that were set aside and are applied in one transaction.
    private var slice: Int { min(50_000, plan.memory.group >> 9) }

    /// Makes the indexes, applies what was set aside, and closes the books; false if somebody stops it before that.
    func finishLanes() throws -> Bool {
        if journal.entry.phase == .indexes {
            if watch.isStopped { return false }
            watch.phase = .indexes
            try commit { connection in
                for lane in lanes { try lane?.makeIndexes(on: connection) }
                for lane in objectLanes { try lane?.makeIndexes(on: connection) }
                journal.entry.phase = .aside
            }
        }
        watch.phase = .aside
        guard try applyAside() else { return false }
        try demandFewErrors(isAtEnd: true)
        guard books.isBalanced, books.waiting == 0 else {
            throw ImportError(
                .books,
                "the books do not balance: \(books)",
                hint: "this is a mistake of Tributary; please report it")
        }
        try commit { _ in
            journal.entry.phase = .done
            journal.entry.state = .finished
        }
        watch.phase = .finished
        return true
    }

    // MARK: What was set aside

    /// Whether anything may wait that comes before all that is taken next: a first load has ended early.
    var hasWaiting: Bool { lanes.indices.contains(where: hasWaiting) }

    /// The same of one route.
    func hasWaiting(_ lane: Int) -> Bool { lanes[lane]?.hasWaiting ?? objectLanes[lane]?.hasWaiting ?? false }

    /// Applies what waits, some in each transaction; false if somebody stops it before the end.
    func applyWaiting() throws -> Bool { try !hasWaiting || applyAside() }

    /// Applies all that was set aside where the first load has ended; false if somebody stops it before the end.
    private func applyAside() throws -> Bool {
        for lane in lanes.indices where !(lanes[lane]?.isLoadingFirst ?? objectLanes[lane]?.isLoadingFirst ?? false) {
            while try applyAside(lane) {
                try demandFewErrors()
                if watch.isStopped { return false }
            }
        }
        return true
    }

    /// Applies some of what a route has set aside; false if there is nothing left.
    private func applyAside(_ lane: Int) throws -> Bool {
        var isThere = false
        try commit { connection in
            objectLanes[lane]?.holdSaves()
            isThere = try applyAside(lane, connection)
        }
        return isThere
    }

    /// Does it in the transaction at hand.
    func applyAside(_ lane: Int, _ connection: Connection) throws -> Bool {
        if let rows = lanes[lane] {
            let taken = try rows.takeAside(slice, bytes: plan.memory.group / 4, on: connection)
            guard let (outcome, origins) = taken else { return false }
            count(outcome, lane: lane)
            books.waiting -= outcome.total
            for refused in outcome.refused.sorted(by: { $0.row < $1.row }) {
                try refuseLate(RowOrigin(origins[refused.row]).reject(refused.fault), lane: lane)
            }
        } else if let objects = objectLanes[lane] {
            let taken = try objects.takeAside(slice / 5, bytes: plan.memory.group / 8, on: connection)
            guard let outcome = taken else { return false }
            count(outcome)
            books.waiting -= outcome.total
            for reject in outcome.rejects { try refuseLate(reject, lane: lane) }
        } else {
            return false
        }
        return true
    }

    /// Refuses a record that was set aside; the first one may end the import.
    private func refuseLate(_ reject: Reject, lane: Int) throws {
        guard options.onError == .stop else { return try refuse(reject, lane: lane) }
        throw ImportError(.rejected, "\(reject.error)", hint: ImportError.keepAside)
    }
}
