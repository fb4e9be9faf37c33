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
        guard try applyWaiting() else { return false }
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

    /// Applies what was set aside where the first load has ended, some in each transaction: it comes before what is taken next.
    ///
    /// False if somebody stops it before the end.
    func applyWaiting() throws -> Bool {
        for (number, lane) in lanes.enumerated() {
            while let lane, !lane.isLoadingFirst, try applyAside(number, lane) {
                try demandFewErrors()
                if watch.isStopped { return false }
            }
        }
        for (number, lane) in objectLanes.enumerated() {
            while let lane, !lane.isLoadingFirst, try applyAside(number, lane) {
                try demandFewErrors()
                if watch.isStopped { return false }
            }
        }
        return true
    }

    /// Whether anything may wait that comes before all that is taken next.
    var hasWaiting: Bool {
        lanes.contains { $0?.hasWaiting ?? false } || objectLanes.contains { $0?.hasWaiting ?? false }
    }

    /// Applies some of the records that were set aside; false if there are none left.
    private func applyAside(_ number: Int, _ lane: ObjectLane) throws -> Bool {
        var isThere = false
        try commit { connection in
            try lane.begin(on: connection)
            isThere = try applyAside(number, lane, connection)
        }
        return isThere
    }

    /// Does it in the transaction at hand.
    func applyAside(_ number: Int, _ lane: ObjectLane, _ connection: Connection) throws -> Bool {
        guard
            let outcome = try lane.takeAside(
                slice / 5, bytes: plan.memory.group / 8, on: connection)
        else { return false }
        count(outcome)
        books.waiting -= outcome.total
        for reject in outcome.rejects { try refuseLate(reject, lane: number) }
        return true
    }

    /// Applies some of the rows that were set aside; false if there are none left.
    private func applyAside(_ number: Int, _ lane: RowLane) throws -> Bool {
        var isThere = false
        try commit { connection in isThere = try applyAside(number, lane, connection) }
        return isThere
    }

    /// Does it in the transaction at hand.
    func applyAside(_ number: Int, _ lane: RowLane, _ connection: Connection) throws -> Bool {
        guard
            let (outcome, origins) = try lane.takeAside(
                slice, bytes: plan.memory.group / 4, on: connection)
        else { return false }
        count(outcome, lane: number)
        books.waiting -= outcome.total
        for refused in outcome.refused.sorted(by: { $0.row < $1.row }) {
            try refuseLate(RowOrigin(origins[refused.row]).reject(refused.fault), lane: number)
        }
        return true
    }

    /// Refuses a record that was set aside; the first one may end the import.
    private func refuseLate(_ reject: Reject, lane: Int) throws {
        guard options.onError == .stop else { return try refuse(reject, lane: lane) }
        throw ImportError(.rejected, "\(reject.error)", hint: "mend it, or let it be kept aside with onError")
    }
}
