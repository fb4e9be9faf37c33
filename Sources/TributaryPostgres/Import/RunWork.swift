import Foundation
import TributaryImport
import TributaryConcurrency
import TributaryStore
import TributaryJSON

/// The work of this process on a run: one part after the other, until nothing is left.
///
/// A run that one process does has one range. Where several share it, each claims the next range that is free.
final class RunWork {
    private let task: PostgresImport
    private let plan: PostgresPlan
    private let sources: [any ByteSource]
    private var control: PostgresConnection
    private let owner: String
    /// The number of retries after an error that may pass.
    static let attempts = 12
    /// The number of the run.
    let run: Int
    private var options: ImportOptions { task.options }
    private var watch: ImportWatch { task.watch }
    /// The seconds between two checks of what other processes do.
    private static let pause = 0.25
    /// The rows that are applied together at the end.
    private static let heldRows = 10_000

    init(
        _ task: PostgresImport, _ plan: PostgresPlan, _ run: StoredRun, _ sources: [any ByteSource],
        _ control: PostgresConnection
    ) {
        (self.task, self.plan, self.sources, self.control, self.run) = (task, plan, sources, control, run.run)
        owner = RunJournal.newOwner()
    }

    /// Works until the run has ended, or this import is stopped.
    func perform() throws -> ImportOutcome {
        let heartbeat = Heartbeat(task.address, owner)
        defer { heartbeat.end() }
        var failures = 0
        do {
            while !watch.isStopped {
                do {
                    if control.isBroken { control = try task.settings.connect(task.address, role: "control") }
                    if let end = try runPhase(heartbeat) { return end }
                    failures = 0
                } catch let error as PostgresError
                    where
                    (error.isRetryable && error.code != .lock
                    || [.unreachable, .commitUnknown].contains(error.code))
                    && failures < RunWork.attempts
                {
                    // What is committed is in the journal, from which the next attempt resumes.
                    failures += 1
                    Thread.sleep(forTimeInterval: min(5, 0.05 * Double(1 << min(failures, 7))))
                }
            }
        } catch {
            guard !(error is CancellationError && watch.isStopped) else { return try stopped() }
            recordEnd(.failed, "\(error)")
            throw error
        }
        return try stopped()
    }

    /// Does the next part of the run; the outcome if it has ended.
    private func runPhase(_ heartbeat: Heartbeat) throws -> ImportOutcome? {
        let run = try current()
        switch run.phase {
        case .done:
            guard run.entry.state == .finished else {
                throw ImportError(.running, "run \(run.run) was ended by another process", hint: "start it again")
            }
            return .finished(run.entry.summary)
        case .keys: try workOnRange(of: run, .keys, heartbeat) { try collectKeys(of: $0, run) }
        case .load: try workOnRange(of: run, .load, heartbeat) { try load($0, run) }
        case .held: try workOnRange(of: run, .held, heartbeat) { try finish($0, run) }
        }
        return nil
    }

    private func current() throws -> StoredRun {
        guard let run = try RunJournal.run(run, on: control) else {
            throw ImportError(.running, "run \(run) was forgotten while it was running", hint: "start it again")
        }
        return run
    }

    private func stopped() throws -> ImportOutcome {
        var run = try current()
        run.entry.summary = try RunJournal.summary(of: run, on: control)
        recordEnd(.stopped, nil)
        return .stopped(run.entry.summary)
    }

    /// Writes the state of a run that this process leaves; that of a shared one is decided by the processes that stay.
    private func recordEnd(_ state: JournalEntry.State, _ failure: String?) {
        guard !control.isBroken else { return }
        try? control.transaction {
            try JournalTables.takeLock(on: control)
            var run = try current()
            guard run.phase != .done, try RunJournal.owners(of: run.run, on: control).isEmpty else { return }
            (run.entry.state, run.entry.failure) = (state, failure)
            try RunJournal.write(run, on: control)
        }
    }

    // MARK: Ranges

    /// Claims a range and calls `body` with it; if none is free, begins the next phase or waits for others.
    private func workOnRange(
        of run: StoredRun, _ phase: StoredRun.Phase, _ heartbeat: Heartbeat, _ body: (ClaimedRange) throws -> Void
    ) throws {
        guard let range = try RunJournal.claim(run, step: phase, by: owner, on: control) else {
            if try advance(from: phase) { return }
            if !run.isShared, !task.settings.joins {
                // Without others, the server still works for a connection that was lost.
                let others = try RunJournal.owners(of: run.run, on: control).filter { $0 != owner }
                guard others.isEmpty else {
                    throw ImportError(
                        .running, "this import is already running, as run \(run.run) (\(others.shortList))",
                        remedy: .wait)
                }
            }
            Thread.sleep(forTimeInterval: RunWork.pause)
            return
        }
        try heartbeat.work(on: range)
        defer {
            try? heartbeat.work(on: nil)
            if !control.isBroken { try? RunJournal.release(range, on: control) }
        }
        do {
            try body(range)
        } catch is LostRange {
            // The next claim finds out what is left.
        }
    }

    /// Begins the next phase if all ranges are through; false if others still work on some.
    private func advance(from phase: StoredRun.Phase) throws -> Bool {
        try control.transaction {
            try JournalTables.takeLock(on: control)
            var run = try current()
            guard run.phase == phase else { return true }
            let open = try control.execute(
                "SELECT count(*) FROM _range WHERE run = $1::bigint AND step = $2 AND NOT done",
                [.integer(Int64(run.run)), .text(phase.rawValue)])
            guard open.firstInteger == 0 else { return false }
            switch phase {
            case .keys:
                try SharedKeys.keepRepeated(run: run.run, on: control)
                run.phase = .load
            case .load:
                run.phase = .held
                try RunJournal.insert(range: -1, nil, of: run, step: .held, on: control)
            case .held, .done: return false
            }
            try RunJournal.write(run, on: control)
            return true
        }
    }

    private func groupLimits(_ connections: Int, loads: Bool) -> GroupFeed.Limits {
        // Rows without an index need no large groups, and the next group is complete when one has been written.
        let bytes = loads ? min(plan.rows.memory.group, plan.rows.memory.feed) : plan.rows.memory.group
        var limits = GroupFeed.Limits(bytes: max(1 << 20, bytes / connections))
        limits.rows = min(task.settings.groupRows, plan.rows.related == nil ? .max : 10_000)
        return limits
    }

    /// Hashes the keys of a range, so that those of several ranges are known before a row is written.
    private func collectKeys(of range: ClaimedRange, _ run: StoredRun) throws {
        do {
            guard let part = range.range else { return }
            let feed = plan.rows.makeFeed(
                part, of: try Division.file(of: part, sources), options, watch: watch)
            try watch.follow(feed) {
                try SharedKeys.collect(feed, of: range, run: run.run, watch, on: control)
            }
        } catch let error as JSONError where !error.code.rawValue.hasPrefix("source.") {
            // Damaged text has no certain borders: one process reads it from its beginning.
            try control.transaction {
                try JournalTables.takeLock(on: control)
                var run = try current()
                guard run.phase == .keys else { return }
                try RunJournal.clear(run.run, on: control)
                (run.isShared, run.phase) = (false, .load)
                try RunJournal.write(run, on: control)
                try RunJournal.insert(range: 0, nil, of: run, step: .load, on: control)
            }
        }
    }

    /// Reads a range and writes its rows.
    private func load(_ range: ClaimedRange, _ run: StoredRun) throws {
        var range = range
        let isPart = range.range != nil
        let journal: Journal
        if isPart || range.entry.checkpoint == nil || range.commits == 0 {
            journal = Journal(range.entry)
        } else {
            journal = try Journal.resume(range.entry, sources)
            range.entry = journal.entry
        }
        let connections = plan.connections(task.settings.connections)
        let feed: ChunkFeed
        if var part = range.range {
            let file = try Division.file(of: part, sources)
            part.start = journal.entry.checkpoint ?? part.start
            feed = plan.rows.makeFeed(part, of: file, options, watch: watch)
        } else {
            feed = plan.rows.makeFeed(sources, options, from: journal, watch: watch)
        }
        let repeated = isPart ? try SharedKeys.filters(plan, run: run.run, on: control) : plan.targets.map { _ in nil }
        let filters = run.loads && !isPart ? try loadedKeys() : plan.targets.map { _ in nil }
        let groups = GroupFeed(
            feed, routes: plan.targets.count, limits: groupLimits(connections, loads: run.loads), filters: filters,
            repeated: repeated,
            ordersKeys: plan.targets.map { !$0.key.isEmpty && !run.loads }, watch: watch)
        var others = try isPart ? RunJournal.summary(of: run, without: range.number, on: control) : ImportSummary()
        others.run = run.run
        let work = RangeWork(
            plan, task.settings, run, range, journal, sources: sources, groups: groups, watch: watch, base: others)
        watch.phase = .reading
        guard try watch.follow(feed, { try work.writeAll(connections: connections) }) else { return }
        var ended = work.range
        try RunJournal.commit(&ended, done: true, on: control)
    }

    /// The keys of the rows that earlier parts of a run have loaded.
    private func loadedKeys() throws -> [KeyFilter?] {
        try plan.targets.enumerated().map { route, target in
            let filter = KeyFilter(byteCount: plan.rows.memory.filter / max(1, plan.targets.count))
            try LoadedKeys.insertHeld(run: run, route: route, into: filter, on: control)
            try LoadedKeys.insert(of: target, into: filter, on: control)
            return filter
        }
    }

    // MARK: The end

    /// Makes indexes, applies the rows that were held back, in feed order, and finishes the run.
    private func finish(_ range: ClaimedRange, _ run: StoredRun) throws {
        var range = range
        let connection = try task.settings.connect(task.address, role: "import")
        defer { connection.close() }
        // Without the lock of the journal, for which other imports wait: the range is claimed by this process.
        if run.loads { watch.phase = .buildingIndexes }
        try RunEnd.makeIndexes(of: run, on: connection)
        watch.phase = .applyingRepeatedKeys
        for (route, target) in plan.targets.enumerated() where !target.key.isEmpty {
            let writer = TableWriter(target, mode: options.mode, route: route)
            try writer.prepare(connection)
            while try applySome(of: route, writer, &range, run, on: connection) {
                if watch.isStopped { throw CancellationError() }
            }
        }
        try control.transaction {
            let dangling = DanglingReferences(plan.model, plan.rows, run: run.run, options.dangling)
            let rest = try dangling.resolve(on: control)
            // Late, since other imports wait for the lock.
            try JournalTables.takeLock(on: control)
            var run = try current()
            var summary = try RunJournal.summary(of: run, on: control)
            (summary.dangling, summary.emptied) = (rest.dangling, rest.emptied)
            for (entity, made) in rest.related ?? [:] { summary.add(made, of: entity) }
            summary.run = run.run
            try summary.checkBalance()
            try options.checkRejects(of: summary, isAtEnd: true)
            // A source that has grown later is read from there on.
            let last = try RunJournal.lastEntry(of: run, on: control)
            (run.entry.sources, run.entry.checkpoint) = (last.sources, last.checkpoint)
            (run.entry.summary, run.entry.state, run.entry.phase, run.phase) = (summary, .finished, .done, .done)
            try RunJournal.commit(&range, done: true, on: control)
            try RunJournal.write(run, on: control)
            try RunJournal.clear(run.run, on: control)
        }
    }

    /// Applies some of the held rows of a route; false if there are none.
    private func applySome(
        of route: Int, _ writer: TableWriter, _ range: inout ClaimedRange, _ run: StoredRun,
        on connection: PostgresConnection
    ) throws -> Bool {
        guard
            let page = try HeldRows.page(
                run: run.run, route: route, limit: RunWork.heldRows, writer.target, on: connection)
        else { return false }
        var group = RowGroup(number: 0, routes: plan.targets.count)
        group.add(page.batch, route: route)
        func apply(isCareful: Bool) throws -> ClaimedRange {
            var next = range
            try connection.transaction {
                let outcome = try writer.write(group.places[route], of: group, isCareful: isCareful, on: connection)
                next.entry.summary.counts += outcome.counts
                next.entry.summary.counts.rejected += outcome.refused.count
                let rejects = try outcome.refused.sorted { $0.place.row < $1.place.row }.map { refused in
                    RejectedRecord(
                        try RowOrigin(page.origins[Int(refused.place.row)]).reject(refused.error), run: run.run,
                        route: plan.described[route], keyName: options.reading.keyName)
                }
                if let first = outcome.refused.first, options.onError == .stop {
                    throw ImportError.rejected(first.error)
                }
                if options.onError == .quarantine { try connection.insert(rejects) }
                try HeldRows.remove(page, run: run.run, route: route, on: connection)
                try RunJournal.commit(&next, on: connection)
            }
            return next
        }
        do {
            range = try apply(isCareful: false)
        } catch let error as PostgresError where error.isOfRows {
            range = try apply(isCareful: true)
        }
        return true
    }
}
