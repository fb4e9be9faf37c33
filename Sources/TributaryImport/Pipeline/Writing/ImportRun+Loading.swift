import Dispatch
import TributaryStore
import TributarySQLite

/// Filling empty tables in files of their own.
extension ImportRun {
    /// Whether the import is large enough to fill empty tables page by page, and may.
    private var wantsLoads: Bool {
        options.loadsDirectly(sources) && journal.entry.phase == .load && !options.isRetry && !plan.takesContext
    }

    /// Begins or resumes the loads of empty tables.
    func beginLoads() throws {
        guard session == nil else { return }
        let isWanted = wantsLoads
        let run = journal.entry.run
        var (reserved, complete): ([LoadRow]?, [LoadRow]) = (nil, [])
        guard try isWanted || !plan.store.read({ try LoadRow.all(on: $0) }).isEmpty else { return }
        try plan.store.importing { connection in
            // After a power failure a file without a row would be taken for that of another program.
            try plan.store.durably(connection) {
                try connection.transaction {
                    if let related = plan.related {
                        complete = try LoadRow.all(on: connection).filter { $0.run == run && $0.isComplete }
                        guard complete.isEmpty else { return }
                        let isEmpty = plan.derivations.isEmpty && !plan.hasTriggers && summary.read == 0
                        reserved = try RelatedLoad.reserve(
                            related, run: run, isWanted: isWanted && isEmpty, in: plan.store, on: connection)
                    } else {
                        for writer in writers {
                            try writer.reserveLoad(in: plan.store, isWanted: isWanted, on: connection)
                        }
                    }
                }
            }
            completeLoads = try complete.map { try DirectLoad(complete: $0, in: plan.store, on: connection) }
            if let related = plan.related, let reserved {
                relatedLoad = try RelatedLoad(
                    related, reserved, run: run, read: summary.read, in: plan.store, plan.memory, on: connection)
            }
            var share = plan.memory.ofLoad(among: writers.count { $0.hasReservedLoad })
            if let bytes = options.loadBytes { share = (bytes, bytes) }
            for writer in writers { try writer.openLoad(in: plan.store, share, on: connection) }
        }
    }

    /// Refuses the rows of others in tables that are loaded, while `body` runs: the load could not be published.
    func protectingLoads<Result>(_ body: () throws -> Result) throws -> Result {
        let loads = loads
        // A dry run holds the connection that writes.
        guard !loads.isEmpty else { return try body() }
        try plan.store.importing { connection in for load in loads { try load.refuseOtherRows(on: connection) } }
        defer { try? plan.store.importing { connection in for load in loads { load.acceptOtherRows(on: connection) } } }
        return try body()
    }

    /// Removes the loads of a run that will not be resumed, since nothing is committed: another import may fill the tables.
    func removeUselessLoads() throws {
        guard isLoading, !journal.entry.isResumable else { return }
        let run = journal.entry.run
        try plan.store.importing { connection in
            try connection.transaction {
                try LoadFiles.remove(besides: plan.store.name, on: connection) { $0.run == run }
                try PossibleDuplicatesTable.deleteRows(run: run, on: connection)
            }
        }
    }

    /// Completes the files of the loads; false if the import is stopped.
    func finishLoads() throws -> Bool {
        let loads = loads
        guard !loads.isEmpty else { return true }
        watch.phase = .buildingIndexes
        if watch.isStopped { return false }
        try DirectLoad.finish(loads)
        try commit { connection in for load in loads { try load.complete(on: connection) } }
        guard try endRepeatedRows(of: loads) else { return false }
        // The largest one becomes the file of a database that has no name yet.
        guard plan.store.isUnpublished else { return true }
        if let load = relatedLoad?.largest {
            watch.phase = .publishing
            try plan.store.adopt(load)
            adopted = load
        } else if let writer = writers.filter({ $0.load != nil }).max(by: { $0.loadedPages < $1.loadedPages }),
            let load = writer.load
        {
            watch.phase = .publishing
            try plan.store.adopt(load)
            for other in writers where other.load == nil || other === writer { other.endLoad() }
        }
        return true
    }

    /// Holds back the records of rows that have the key of an earlier row, and removes the rows; false if it is stopped.
    private func endRepeatedRows(of loads: [DirectLoad]) throws -> Bool {
        try plan.store.importing { connection in
            heldConnection = connection
            defer { heldConnection = nil }
            do {
                // The rows are gone for good next.
                try plan.store.durably(connection) {
                    try commit { connection in
                        for route in writers.indices { try holdBackRepeatedRows(of: route, connection) }
                    }
                }
                try commit { connection in
                    for load in loads {
                        try load.removeRepeatedRows(on: connection) {
                            if watch.isStopped { throw CancellationError() }
                        }
                    }
                }
            } catch is CancellationError where watch.isStopped {
                return false
            }
            return true
        }
    }

    /// Holds back the records of rows that have the key of an earlier row.
    private func holdBackRepeatedRows(of route: Int, _ connection: Connection) throws {
        let writer = writers[route]
        guard let repeated = try writer.load?.holdBackRepeatedRows(of: writer.table, on: connection), !repeated.isEmpty
        else { return }
        var rows = BulkOutcome()
        rows.counts.inserted = -repeated.count
        count(RouteOutcome(rows: rows), route: route)
        summary.waiting += repeated.count
        guard let feed else { return }
        let entity = plan.routes[route].entity.root.name
        try MarkTable.remove(repeated, feed: feed, run: journal.entry.run, entity: entity, on: connection)
    }

    /// The loads whose rows are not in their tables.
    var loads: [DirectLoad] {
        writers.compactMap(\.load) + (relatedLoad?.loads ?? completeLoads).filter { $0 !== adopted }
    }

    /// Whether a route fills the pages of a load.
    var isLoading: Bool { !loads.isEmpty }

    /// Calls `body` in the transaction that publishes all loads, and deletes their files then.
    func publishing(_ body: (Connection) throws -> Void) throws {
        let loading = writers.filter { $0.load != nil }
        let loads = loads
        guard !loads.isEmpty else { return try commit(body) }
        watch.phase = .publishing
        try plan.store.importing { connection in
            // A trigger would keep SQLite from moving the rows as they are.
            for load in loads { load.acceptOtherRows(on: connection) }
            try LoadTransfer.attaching(loads, to: connection) {
                heldConnection = connection
                defer { heldConnection = nil }
                for writer in loading { writer.endLoad() }
                (relatedLoad, completeLoads) = (nil, [])
                // The files are deleted next.
                try plan.store.durably(connection) {
                    try commit { connection in
                        for load in loads { try LoadTransfer.move(load, in: plan.store, on: connection) }
                        try body(connection)
                    }
                }
            }
            try connection.transaction {
                try LoadFiles.remove(besides: plan.store.name, on: connection) { !$0.isPending }
            }
            // The log has grown to the size of the loads; others may be reading it.
            connection.truncateLog()
        }
        notificationQueue.sync {}
    }
}
