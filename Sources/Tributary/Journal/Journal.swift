#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

import TributaryGraph
package import TributaryJSON
package import TributarySQLite

/// The journal of one run: what has been committed, and so where it goes on if it is stopped.
///
///     switch try Journal.begin(identity, sources: sources, resuming: options.resuming, on: connection) {
///     case .fresh(var journal, abandoned: _): …
///     case .resumed(var journal): …
///     case .finished(let entry): …
///     }
///     // in the transaction of each group of chunks:
///     try journal.advance(to: chunk.checkpoint, digest: reader.digest(before: chunk.checkpoint), sources)
///     journal.entry.summary = books
///     try journal.commit(on: connection)
///
/// No function begins a transaction: that is the caller's.
package struct Journal: Sendable {
    /// What is known of the run; changed in memory, and written by `commit`.
    package var entry: JournalEntry
    /// What a run has left in the file of rejects that this one goes on with, or that has read the same: it may be taken
    /// back.
    package let ownRejects: JournalEntry.Rejects?
    private let now: @Sendable () -> Date

    /// What the journal says about an import that is to begin.
    package enum Start: Sendable {
        /// A new run, whose row is written; the one before had not been finished.
        case fresh(Journal, abandoned: JournalEntry?)
        /// The run goes on behind `entry.checkpoint`.
        case resumed(Journal)
        /// It has been done, and nothing has changed since.
        case finished(JournalEntry)

        /// The run that is under way from now on; nil if there is nothing to do.
        var run: Int? {
            switch self {
            case .fresh(let journal, _), .resumed(let journal): journal.entry.run
            case .finished: nil
            }
        }
    }

    /// Decides whether an import is new, goes on, or is done.
    ///
    /// - Parameters:
    ///   - identity: What is imported how.
    ///   - sources: The sources, in their order.
    ///   - resuming: What is wanted.
    ///   - rejects: The path of the file of rejects.
    ///   - living: The runs that are under way in this process.
    ///   - connection: The one that writes.
    ///   - now: The clock.
    /// - Returns: What is to be done; the row of a new run is written.
    /// - Throws: `JournalError` if an unfinished import cannot go on, `JSONError` if a source cannot be read,
    ///   `SQLiteError`.
    package static func begin(
        _ identity: ImportIdentity, sources: [any ByteSource], resuming: ImportOptions.Resuming,
        rejects: String? = nil, living: Set<Int> = [], on connection: Connection,
        now: @escaping @Sendable () -> Date = { Date() }
    ) throws -> Start {
        let prints = try sources.map { try SourceFingerprint(of: $0) }
        // A path is good from any folder.
        let rejects = rejects.map { FileSource($0).absolutePath }
        var latest = try RunTable.latest(identity.hash, on: connection).map { try JournalEntry($0, connection) }
        if let known = latest, living.contains(known.run) {
            guard resuming == .never else {
                throw JournalError(
                    .running, "this import is under way already, as run \(known.run)", hint: "wait for its end")
            }
            // Another one of its kind goes its own way.
            latest = nil
        }
        if let latest, resuming != .never {
            if latest.state == .finished, resuming != .again, try latest.isOf(sources) { return .finished(latest) }
            if latest.state.isUnfinished, resuming != .restart, latest.checkpoint != nil || latest.phase != .load {
                return .resumed(try resume(latest, sources, prints, rejects, now))
            }
        }
        var abandoned: JournalEntry?
        if let latest, latest.state.isUnfinished {
            abandoned = latest
            var left = latest
            left.state = .abandoned
            try RunTable.write(left.row, on: connection)
        }
        let date = now()
        var entry = JournalEntry(
            run: try RunTable.nextRun(on: connection), identity: identity, started: date, updated: date,
            sources: prints)
        entry.summary.run = entry.run
        entry.rejects = rejects.map { JournalEntry.Rejects(path: $0) }
        try RunTable.write(entry.row, on: connection)
        var own: JournalEntry.Rejects?
        if let latest, let earlier = latest.rejects, earlier.path == rejects, try latest.isOf(sources) { own = earlier }
        return .fresh(Journal(entry: entry, ownRejects: own, now: now), abandoned: abandoned)
    }

    /// Lets an unfinished run go on, if what it has read is still there.
    private static func resume(
        _ latest: JournalEntry, _ sources: [any ByteSource], _ prints: [SourceFingerprint], _ rejects: String?,
        _ now: @escaping @Sendable () -> Date
    ) throws -> Journal {
        var entry = latest
        let current = entry.phase == .load ? entry.checkpoint?.source ?? 0 : sources.count
        for (index, source) in sources.enumerated() {
            // What has not been begun is taken as it is now.
            let isUnread = index > current
            var difference: String?
            if !isUnread {
                switch try entry.sources[index].change(in: source) {
                case .same: break
                case .changed(let text): difference = text
                case .grown: if index < current { difference = "it has grown since it was read to its end" }
                }
            }
            if let difference {
                throw JournalError(
                    .sourceChanged,
                    """
                    \(Excerpt.escape(source.name)) has changed since its import (run \(entry.run)) stopped behind \
                    record \(entry.summary.read): \(difference)
                    """,
                    hint: "bring the old one back to go on, or begin anew with --restart")
            }
            if isUnread {
                entry.sources[index] = prints[index]
            } else {
                (entry.sources[index].size, entry.sources[index].modified) = (
                    prints[index].size, prints[index].modified
                )
            }
        }
        if let kept = entry.rejects {
            guard kept.path == rejects else {
                throw JournalError(
                    .rejectsMoved,
                    "the unfinished import (run \(entry.run)) keeps its rejects in \(Excerpt.escape(kept.path))",
                    hint: "go on with --rejects \(Excerpt.escape(kept.path)), or begin anew with --restart")
            }
        } else {
            entry.rejects = rejects.map { JournalEntry.Rejects(path: $0) }
        }
        entry.state = .running
        entry.failure = nil
        entry.summary.resumedAt = entry.summary.read
        return Journal(entry: entry, ownRejects: latest.rejects, now: now)
    }

    /// Notes that the run has come to a checkpoint; `commit` writes it.
    ///
    /// - Parameters:
    ///   - checkpoint: The place behind the last record that will be committed.
    ///   - digest: What the reader has for it.
    ///   - sources: The sources, in their order.
    /// - Throws: `JSONError` if a source cannot be read.
    package mutating func advance(
        to checkpoint: Checkpoint, digest: DigestMark?, _ sources: [any ByteSource]
    ) throws {
        let index = checkpoint.source
        try entry.sources[index].advance(to: checkpoint, digest: digest, of: sources[index])
        entry.checkpoint = checkpoint
    }

    /// The hash that a reader must find before it goes on.
    package var expectedDigest: DigestMark? { entry.checkpoint.flatMap { entry.sources[$0.source].passed } }

    /// Takes a file of rejects over that earlier runs have left, before it is emptied.
    ///
    /// What stands there is written down: it is still there if this run ends before it comes to that.
    ///
    /// - Throws: `RejectsError` if that would throw away what this import does not write again; `SQLiteError`.
    package mutating func takeOver(
        _ file: RejectsFile, from abandoned: JournalEntry?, on connection: Connection
    ) throws {
        try file.demandNothing(but: ownRejects, orMoreOf: abandoned)
        guard file.length > 0, var left = entry.rejects else { return }
        (left.length, left.hash) = (file.length, try file.wholeHash())
        entry.earlierRejects = left
        try commit(on: connection)
    }

    /// Writes the row of the run; in the transaction of what it tells of.
    ///
    /// - Throws: `SQLiteError`.
    package mutating func commit(on connection: Connection) throws {
        entry.updated = now()
        try RunTable.write(entry.row, on: connection)
    }

    /// All runs, the first one first.
    ///
    /// - Throws: `JournalError`, `SQLiteError`.
    package static func entries(on connection: Connection) throws -> [JournalEntry] {
        try RunTable.all(on: connection).map { try JournalEntry($0, connection) }
    }

    /// The runs that have not been finished: one that has left indexes out may be among them.
    ///
    /// - Throws: `JournalError`, `SQLiteError`.
    package static func unfinished(on connection: Connection) throws -> [JournalEntry] {
        let states = JournalEntry.State.allCases.filter(\.isUnfinished).map(\.rawValue)
        return try RunTable.all(in: states, on: connection).map { try JournalEntry($0, connection) }
    }
}
