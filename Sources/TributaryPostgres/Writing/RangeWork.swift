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
        var entry = next.journal.entry
        for chunk in group.chunks {
            entry.summary.read += chunk.recordCount + chunk.unreadable
            entry.summary.counts.skipped += chunk.skipped
            entry.records += chunk.recordCount + chunk.unreadable
        }
        entry.summary.counts += outcome.counts
        entry.summary.counts.rejected += outcome.rejects.count
        for (entity, counts) in outcome.related { entry.summary.add(counts, of: entity) }
        plan.rows.note(group.chunks, in: &entry.summary)
        next.journal.entry = entry
        if let last = group.chunks.last {
            next.journal.finishSources(before: last.checkpoint.source, watch.reader, plan.options)
            try next.journal.advance(
                to: last.checkpoint, digest: watch.reader?.digest(before: last.checkpoint), sources)
        }
        if group.isLast {
            next.journal.finishSources(before: sources.count, watch.reader, plan.options)
            next.journal.entry.phase = .publishing
            let outside = watch.reader?.report.outside
            next.journal.entry.summary.outside = outside?.isEmpty ?? true ? nil : outside
        }
        var summary = next.journal.entry.summary
        summary.seconds = earlierSeconds + (ContinuousClock.now - started) / Duration.seconds(1)
        summary.peakMemory = max(summary.peakMemory, ImportWatch.peakMemory)
        summary.bytes =
            next.journal.entry.earlierBytes + (next.journal.entry.checkpoint?.byte ?? 0)
            - (next.range.range?.start.byte ?? 0)
        next.journal.entry.summary = summary
        next.range.entry = next.journal.entry
    }
}
