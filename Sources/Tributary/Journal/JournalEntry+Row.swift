#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

import TributaryGraph
import TributaryJSON
import TributarySQLite

extension JournalEntry {
    /// The row of the run.
    var row: RunTable.Row {
        RunTable.Row(run: run, identity: identity.hash, state: state.rawValue, payload: StoredJSON.text(self))
    }

    /// Reads a row.
    init(_ row: RunTable.Row, _ connection: Connection) throws {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .secondsSince1970
        guard var entry = try? decoder.decode(JournalEntry.self, from: Data(row.payload.utf8)),
            entry.identity.hash == row.identity, entry.run == row.run, entry.isPlausible
        else {
            throw ImportError(
                .journal, "\(connection.name): run \(row.run) of the journal cannot be read",
                hint: "open it with the version that wrote it, or delete the row from the table _run")
        }
        for renames in try EntityRenames.all(on: connection) where row.run <= renames.run {
            entry.rename(renames.names)
        }
        self = entry
    }

    /// Gives entities the names that a later migration has given them.
    private mutating func rename(_ names: [String: String]) {
        for index in identity.routes.indices {
            identity.routes[index].entity = names[identity.routes[index].entity] ?? identity.routes[index].entity
        }
        summary.related = summary.related.map { related in
            Dictionary(related.map { (names[$0.key] ?? $0.key, $0.value) }) { first, _ in first }
        }
    }

    /// Whether all values are possible, so that a row written by another program cannot crash this one.
    private var isPlausible: Bool {
        let numbers =
            RecordOutcome.allCases.map { summary.counts[$0] } + [
                summary.read, summary.waiting, summary.bytes, summary.peakMemory, summary.resumedAt ?? 0, records,
                earlierBytes,
            ]
        let positions = checkpoint.map { [$0.byte, $0.line, $0.lineStart, $0.record] } ?? []
        let windows = sources.flatMap { [$0.head, $0.tail].compactMap(\.self) }
        let seconds = [summary.seconds, started.timeIntervalSince1970, updated.timeIntervalSince1970]
        // 2^53 is more than the bytes of any disk, and sums of such numbers do not overflow.
        let most = 1 << 53
        return (numbers + positions + windows.map(\.start)).allSatisfy { (0...most).contains($0) }
            && [summary.outside, checkpoint?.outside].allSatisfy { $0?.isPlausible ?? true }
            && (summary.inferred ?? [:]).values.allSatisfy(\.isPlausible)
            && windows.allSatisfy { (0...SourceFingerprint.windowBytes).contains($0.length) }
            && seconds.allSatisfy { abs($0) <= Double(most) }
            && sources.count == identity.sources.count && checkpoint.map { sources.indices.contains($0.source) } ?? true
    }

    /// Whether all sources are files that were not changed since they were read.
    func matches(_ sources: [any ByteSource]) throws -> Bool {
        guard self.sources.count == sources.count else { return false }
        return try zip(self.sources, sources).allSatisfy { print, source in
            try print.isUntouched(source)
        }
    }
}
