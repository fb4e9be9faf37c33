import TributaryImport
import TributaryConcurrency
import TributaryStore
import TributaryJSON

/// The work on one range of a run: reading it, and writing its groups through several connections.
final class RangeWork: Sendable {
    let plan: PostgresPlan
    let settings: PostgresSettings
    let run: StoredRun
    let sources: [any ByteSource]
    let watch: ImportWatch
    let groups: GroupFeed
    /// The counts of other ranges, for the progress that is shown.
    private let base: ImportSummary
    private let started = ContinuousClock.now
    private let earlierSeconds: Double
    /// What the groups have done so far; locked while one commits.
    private let progress: Guarded<(range: ClaimedRange, journal: Journal)>
    private let failure = Guarded<(any Error)?>(nil)

    init(
        _ plan: PostgresPlan, _ settings: PostgresSettings, _ run: StoredRun, _ range: ClaimedRange, _ journal: Journal,
        sources: [any ByteSource], groups: GroupFeed, watch: ImportWatch, base: ImportSummary
    ) {
        (self.plan, self.run, self.sources, self.groups, self.watch) = (plan, run, sources, groups, watch)
        (self.base, self.settings) = (base, settings)
        earlierSeconds = range.entry.summary.seconds
        progress = Guarded((range, journal))
    }

    /// The range with the counts of its committed groups.
    var range: ClaimedRange { progress.withLock { $0.range } }

    /// Writes all groups through `connections`, each on a thread of its own; the first one on this thread.
    ///
    /// It returns whether the range was read to its end, and throws the first error; groups before that are committed.
    func writeAll(connections: Int) throws -> Bool {
        let running = Monitor(connections - 1)
        for number in 1..<max(1, connections) {
            do {
                try WorkerThread.start { [self] in
                    WorkerThread.withAutoreleasePool { write(number) }
                    running.update { $0 -= 1 }
                }
            } catch {
                // Fewer connections are enough.
                running.update { $0 -= 1 }
            }
        }
        write(0)
        running.wait { $0 == 0 ? () : nil }
        if let error = failure.withLock({ $0 }) { throw error }
        return progress.withLock { $0.range.entry.phase != .load }
    }

    private func write(_ number: Int) {
        do {
            let writer = try GroupWriter(self)
            while let group = try groups.next() {
                guard try writer.write(group) else { return }
            }
        } catch {
            groups.order.fail()
            failure.withLock { first in
                // Another thread's cancelled reading is not the cause.
                if first == nil || first is CancellationError { first = error }
            }
        }
    }

    // MARK: Committing

    /// Adds the outcome of a group, and calls `body` in its transaction with the range to store; then commits.
    func commit(_ group: RowGroup, _ outcome: GroupWriter.Outcome, _ body: (inout ClaimedRange) throws -> Void) throws {
        try progress.withLock { progress in
            var next = progress
            try advance(&next, group, outcome)
            try body(&next.range)
            next.journal.entry = next.range.entry
            progress = next
            var total = next.range.entry.summary
            if base.read > 0 { total.add(base) }
            watch.summary = total
        }
    }

    private func advance(
        _ next: inout (range: ClaimedRange, journal: Journal), _ group: RowGroup, _ outcome: GroupWriter.Outcome
    ) throws {
        for chunk in group.chunks { next.journal.count(chunk) }
        next.journal.entry.summary.counts += outcome.written.counts
        next.journal.entry.summary.counts.rejected += outcome.rejects.count
        for (entity, counts) in outcome.written.related { next.journal.entry.summary.add(counts, of: entity) }
        plan.rows.note(group.chunks, in: &next.journal.entry.summary)
        if let last = group.chunks.last {
            try next.journal.advance(to: last.checkpoint, watch.reader, sources, plan.options)
        }
        if group.isLast { next.journal.endReading(watch.reader, plan.options) }
        next.journal.measure(earlierSeconds, since: started)
        next.journal.entry.summary.bytes -= next.range.range?.start.byte ?? 0
        next.range.entry = next.journal.entry
    }
}
