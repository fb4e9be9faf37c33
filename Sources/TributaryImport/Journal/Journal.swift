package import Foundation

import TributaryStore
package import TributaryJSON
package import TributarySQLite

/// The journal of one run: its committed records, and the position at which it resumes if it is stopped.
///
/// No function begins a transaction; the caller does.
package struct Journal: Sendable {
    /// The entry of the run, which is changed in memory and written by `commit`.
    package var entry: JournalEntry
    private let now: @Sendable () -> Date

    /// The way in which an import begins.
    package enum Start: Sendable {
        /// A new run, whose row is written; the same import was run before.
        case fresh(Journal, earlier: JournalEntry?)
        /// The run resumes at `entry.checkpoint`.
        case resumed(Journal)
        /// An earlier run finished it, and its sources are unchanged.
        case finished(JournalEntry)

        /// The run that begins; nil if there is nothing to do.
        var run: Int? {
            switch self {
            case .fresh(let journal, _), .resumed(let journal): journal.entry.run
            case .finished: nil
            }
        }
    }

    /// Decides whether an import is new, is resumed, or is done; the row of a new run is written.
    ///
    /// `prints` are the fingerprints of the sources, nil to take them here; `running` are the runs of this process that
    /// have not ended; with `isKeyless` a record inserts a row each time it is read.
    package static func begin(
        _ identity: ImportIdentity, sources: [any ByteSource], prints: [SourceFingerprint]? = nil,
        resuming: ImportOptions.Resuming, running: Set<Int> = [], isKeyless: Bool = false, on connection: Connection,
        now: @escaping @Sendable () -> Date = { Date() }
    ) throws -> Start {
        let prints = try prints ?? sources.map { try SourceFingerprint(of: $0) }
        var latest = try connection.latestRun(of: identity.hash)
        if let known = latest, running.contains(known.run) {
            guard resuming == .never else {
                throw ImportError(.running, "this import is already running, as run \(known.run)", remedy: .wait)
            }
            // A run that is not resumed may be concurrent with another one of the same import.
            latest = nil
        }
        if let latest, resuming != .never {
            // A later run of the same feed may have deleted what this one has read, or claimed its rows.
            let isNewest = try isNewestOfFeed(latest, connection)
            if isNewest, try latest.isDone(sources, resuming) { return .finished(latest) }
            // A sync that has only rows to delete may make room for one of a newer feed.
            let isOutdated = latest.identity.feed != nil && latest.phase == .publishing
            if isNewest, latest.isResumable, resuming != .restart, try !isOutdated || latest.matches(sources) {
                return .resumed(try resume(latest, sources, prints, isKeyless: isKeyless, now: now))
            }
        }
        if let latest, latest.state.isUnfinished {
            var left = latest
            left.state = .abandoned
            try RunTable.write(left.row, on: connection)
        }
        let date = now()
        var entry = JournalEntry(
            run: try RunTable.nextRun(on: connection), identity: identity, started: date, updated: date,
            sources: prints)
        entry.summary.run = entry.run
        try RunTable.write(entry.row, on: connection)
        return .fresh(Journal(entry, now: now), earlier: latest)
    }

    /// Whether no later run has read the same feed; true for a run that is no sync.
    private static func isNewestOfFeed(_ entry: JournalEntry, _ connection: Connection) throws -> Bool {
        guard let feed = entry.identity.feed else { return true }
        return try !connection.runs().contains {
            $0.run > entry.run && $0.identity.feed == feed && $0.state != .undone
        }
    }

    /// The journal of a run.
    package init(_ entry: JournalEntry, now: @escaping @Sendable () -> Date = { Date() }) {
        (self.entry, self.now) = (entry, now)
    }

    /// Resumes an unfinished run, if the bytes that it has read are unchanged.
    package static func resume(
        _ latest: JournalEntry, _ sources: [any ByteSource], _ prints: [SourceFingerprint]? = nil,
        isKeyless: Bool = false, now: @escaping @Sendable () -> Date = { Date() }
    ) throws -> Journal {
        let prints = try prints ?? sources.map { try SourceFingerprint(of: $0) }
        var entry = latest
        let current = entry.phase == .load ? entry.checkpoint?.source ?? 0 : sources.count
        for (index, source) in sources.enumerated() {
            // A source that has not been read may have changed.
            guard index <= current else {
                entry.sources[index] = prints[index]
                continue
            }
            var (difference, remedy): (String?, ImportRemedy?) = (nil, nil)
            switch try entry.sources[index].change(in: source, entry.identity.reading) {
            case .same: break
            case .changed(let text, let way): (difference, remedy) = (text, way)
            case .grown: if index < current { difference = "it has grown since it was read to its end" }
            }
            if let difference {
                throw ImportError(
                    .sourceChanged,
                    """
                    \(Excerpt.escape(source.name)) has changed since its import (run \(entry.run)) stopped after \
                    record \(entry.summary.read): \(difference)
                    """,
                    remedy: remedy
                        ?? (isKeyless && entry.summary.counts.inserted > 0 ? .restoreSource : .restart))
            }
            (entry.sources[index].size, entry.sources[index].modified) = (prints[index].size, prints[index].modified)
            // The first bytes of a file that has grown may be more.
            entry.sources[index].head = prints[index].head
        }
        entry.state = .running
        entry.failure = nil
        entry.summary.resumedAt = entry.summary.read
        return Journal(entry, now: now)
    }

    /// Records that the run has reached the position after the last record that will be committed; `commit` writes it.
    ///
    /// `digest` is the reader's digest of the bytes before it.
    package mutating func advance(
        to checkpoint: Checkpoint, digest: DigestMark?, _ sources: [any ByteSource]
    ) throws {
        let index = checkpoint.source
        // The bytes of a source are final when the reader has begun the next one.
        if let earlier = entry.checkpoint, earlier.source < index { entry.earlierBytes += earlier.byte }
        try entry.sources[index].advance(to: checkpoint, digest: digest, of: sources[index])
        entry.checkpoint = checkpoint
    }

    /// Records that the run has reached a checkpoint of a reader, and the hashes of the sources that were read to their
    /// ends since the last one.
    package mutating func advance(
        to checkpoint: Checkpoint, _ reader: RecordReader?, _ sources: [any ByteSource], _ options: ImportOptions
    ) throws {
        finishSources(before: checkpoint.source, reader, options)
        try advance(to: checkpoint, digest: reader?.digest(before: checkpoint), sources)
    }

    /// Records that everything has been read.
    package mutating func endReading(_ reader: RecordReader?, _ options: ImportOptions) {
        finishSources(before: entry.sources.count, reader, options)
        entry.phase = .publishing
        let outside = reader?.report.outside
        entry.summary.outside = outside?.isEmpty ?? true ? nil : outside
    }

    /// Updates the duration, which follows `earlier` seconds, the memory and the bytes read.
    package mutating func measure(_ earlier: Double, since start: ContinuousClock.Instant) {
        entry.summary.seconds = earlier + (ContinuousClock.now - start) / Duration.seconds(1)
        entry.summary.peakMemory = max(entry.summary.peakMemory, ImportWatch.peakMemory)
        entry.summary.bytes = entry.earlierBytes + (entry.checkpoint?.byte ?? 0)
    }

    /// Begins a new run where an earlier one has ended, since its first source has grown.
    package mutating func resume(at checkpoint: Checkpoint, _ read: SourceFingerprint) {
        entry.checkpoint = checkpoint
        entry.sources[0].passed = read.passed
        entry.sources[0].tail = read.tail
        entry.sources[0].mayGrow = true
    }

    /// Records the hashes of the sources that were read to their ends since the last checkpoint.
    package mutating func finishSources(before end: Int, _ reader: RecordReader?, _ options: ImportOptions) {
        // With a limit, reading ahead may reach the end of a source that is not imported to its end.
        guard options.limit == nil, let reader else { return }
        for index in min(entry.checkpoint?.source ?? 0, end)..<end {
            guard let digest = reader.digest(ofSource: index) else { continue }
            (entry.sources[index].passed, entry.sources[index].isWhole) = (digest, true)
        }
    }

    /// The digest that the bytes before the checkpoint must have, so that a reader may resume there.
    package var expectedDigest: DigestMark? { entry.checkpoint.flatMap { entry.sources[$0.source].passed } }

    /// Writes the row of the run; call it in the transaction of the records that it counts.
    package mutating func commit(on connection: Connection) throws {
        entry.updated = now()
        try RunTable.write(entry.row, on: connection)
    }
}
