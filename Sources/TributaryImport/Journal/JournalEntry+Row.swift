import Foundation

import TributaryStore
package import TributaryJSON
import TributarySQLite

extension JournalEntry {
    /// The row of the run.
    package var row: RunTable.Row {
        RunTable.Row(run: run, identity: identity.hash, state: state.rawValue, payload: StoredJSON.text(self))
    }

    /// The entry as text, for the journal of another database.
    package var stored: String { StoredJSON.text(self) }

    /// Reads the text of an entry.
    package init(stored: String, run: Int, identity: String, in database: String) throws {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .secondsSince1970
        guard let entry = try? decoder.decode(JournalEntry.self, from: Data(stored.utf8)),
            entry.identity.hash == identity, entry.run == run, entry.isPlausible
        else {
            throw ImportError(
                .journal, "\(database): run \(run) of the journal cannot be read",
                hint: "open it with the version that wrote it, or delete the row from the table _run")
        }
        self = entry
    }

    /// Reads rows.
    static func read(_ rows: [RunTable.Row], _ connection: Connection) throws -> [JournalEntry] {
        guard !rows.isEmpty else { return [] }
        let renames = try EntityRenames.all(on: connection)
        return try rows.map { row in
            var entry = try JournalEntry(
                stored: row.payload, run: row.run, identity: row.identity, in: connection.name)
            for renames in renames where row.run <= renames.run { entry.rename(renames.names) }
            return entry
        }
    }

    /// Gives entities the names that a later migration has given them.
    private mutating func rename(_ names: [String: String]) {
        for index in identity.routes.indices {
            identity.routes[index].entity = names[identity.routes[index].entity] ?? identity.routes[index].entity
        }
        identity.feed = identity.feed.map { MarkTable.renamed($0, names) }
        summary.related = summary.related.map { related in
            Dictionary(related.map { (names[$0.key] ?? $0.key, $0.value) }) { first, _ in first }
        }
    }

    /// Whether all values are possible, so that a row written by another program cannot crash this one.
    private var isPlausible: Bool {
        let numbers =
            RecordOutcome.allCases.map { summary.counts[$0] } + [
                summary.read, summary.waiting, summary.bytes, summary.peakMemory, summary.resumedAt ?? 0, records,
                earlierBytes, summary.sync?.restored ?? 0, summary.sync?.unidentified ?? 0,
            ]
        let summands = sources.compactMap(\.size) + Array((summary.sync?.deleted ?? [:]).values)
        let positions = checkpoint.map { [$0.byte, $0.line, $0.lineStart, $0.record] } ?? []
        let windows = sources.flatMap { [$0.head, $0.tail].compactMap(\.self) }
        let seconds = [summary.seconds, started.timeIntervalSince1970, updated.timeIntervalSince1970]
        // 2^53 is more than the bytes of any disk, and sums of such numbers do not overflow.
        let most = 1 << 53
        return (numbers + positions + windows.map(\.start) + summands).allSatisfy { (0...most).contains($0) }
            && summands.reduce(0) { $0 + Double($1) } <= Double(most)
            && [summary.outside, checkpoint?.outside].allSatisfy { $0?.isPlausible ?? true }
            && (summary.inferred ?? [:]).values.allSatisfy(\.isPlausible)
            && windows.allSatisfy { (0...SourceFingerprint.windowBytes).contains($0.length) }
            && seconds.allSatisfy { abs($0) <= Double(most) }
            && sources.count == identity.sources.count && checkpoint.map { sources.indices.contains($0.source) } ?? true
    }

    /// Whether the run leaves nothing to do for the same import, of which `resuming` says what to do about it.
    package func isDone(_ sources: [any ByteSource], _ resuming: ImportOptions.Resuming) throws -> Bool {
        try resuming.recognizesSources && state == .finished && matches(sources)
    }

    /// Whether all sources are files that were not changed since they were read.
    package func matches(_ sources: [any ByteSource]) throws -> Bool {
        guard self.sources.count == sources.count else { return false }
        return try zip(self.sources, sources).allSatisfy { print, source in
            try print.isUntouched(source)
        }
    }
}
