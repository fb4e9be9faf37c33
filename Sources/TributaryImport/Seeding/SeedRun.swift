package import Foundation
package import TributaryStore
import TributaryJSON
package import TributarySQLite

/// Plants seeds into a store, in one transaction with the entry of the journal.
///
/// Objects are saved and removed from memory a few thousand at a time, but committed all at once: a seed that fails or is
/// killed has planted nothing, and can be repeated.
package struct SeedRun {
    /// The page cache, which holds changed pages of the transaction until it writes them into the log.
    private static let cacheKiB = 8 << 10
    /// What entries of the journal for seeds have in place of a mapping.
    private static let mapping = "seed"

    private let store: SQLiteStore
    private let places: [SeedPlace]
    private let loader: (any SeedLoader)?
    private let repeats: Bool
    /// The number of objects in memory after which they are saved.
    package var batchSize = 2000

    /// - Throws: `SeedError` for a URL with a scheme other than `file`, `http` and `https`.
    package init(_ store: SQLiteStore, _ urls: [URL], _ loader: (any SeedLoader)?, repeats: Bool) throws {
        (self.store, self.loader, self.repeats) = (store, loader, repeats)
        places = try urls.map { try SeedPlace($0) }
    }

    /// Plants the seeds on a ground that writes by the connection, unless they were planted before and are unchanged.
    ///
    /// A dry run plants them, and then rolls everything back.
    package func plant(
        isDryRun: Bool = false, on ground: (Connection) throws -> some SeedGround
    ) throws -> ImportOutcome {
        do {
            return try store.importing { connection in
                let outcome = try store.withImportSettings(cacheKiB: SeedRun.cacheKiB, connection) {
                    try connection.transaction {
                        try store.within(connection) {
                            let outcome = try plant(SeedPlanter(try ground(connection), loader), on: connection)
                            if isDryRun { throw DryRun(outcome: outcome) }
                            return outcome
                        }
                    }
                }
                connection.checkpoint()
                return outcome
            }
        } catch let end as DryRun {
            store.forgetStatements()
            return end.outcome
        } catch {
            store.forgetStatements()
            throw error
        }
    }

    /// Ends the transaction of a dry run.
    private struct DryRun: Error {
        let outcome: ImportOutcome
    }

    private func plant(_ planter: SeedPlanter<some SeedGround>, on connection: Connection) throws -> ImportOutcome {
        let sources = places.map(SeedRun.name)
        if !repeats, let earlier = try earlier(sources, planter.reader, on: connection) {
            return .alreadyFinished(earlier.summary)
        }
        let started = Date()
        let clock = ContinuousClock()
        let start = clock.now
        for place in places {
            try planter.plant(place) { _ in
                if planter.unsavedCount >= batchSize { try planter.save() }
            }
        }
        try planter.save()
        var summary = ImportSummary()
        (summary.read, summary.counts.inserted) = (planter.count, planter.count)
        summary.bytes = planter.reader.bytes
        summary.seconds = (clock.now - start) / .seconds(1)
        summary.peakMemory = ImportWatch.peakMemory
        summary.run = try RunTable.nextRun(on: connection)
        let entry = entry(of: planter, sources, summary, started)
        try RunTable.write(entry.row, on: connection)
        return .finished(summary)
    }

    // MARK: Journal

    /// The entry for a run: the seeds first, then the files that they include.
    private func entry(
        of planter: SeedPlanter<some SeedGround>, _ names: [String], _ summary: ImportSummary, _ started: Date
    ) -> JournalEntry {
        let files = planter.reader.files
        let mains = names.compactMap { name in files.first { $0.source.identityName == name } }
        let others = files.filter { !names.contains($0.source.identityName) }
        let hashes = (store.model.versionHashes() ?? [:]).sorted { $0.key < $1.key }
        let identity = ImportIdentity(
            sources: (mains + others).map(\.source),
            routes: planter.counts.keys.sorted().map { JournalEntry.Route(entity: $0) }, options: SeedRun.options,
            model: hashes.map { "\($0.key) \($0.value)" }.joined(separator: " "), mapping: SeedRun.mapping)
        var entry = JournalEntry(
            run: summary.run, identity: identity, started: started, updated: Date(),
            sources: (mains + others).map(\.fingerprint))
        (entry.state, entry.phase, entry.summary) = (.finished, .done, summary)
        return entry
    }

    /// The name of a seed in the journal: an absolute path, or an address.
    private static func name(of place: SeedPlace) -> String {
        guard case .file(let path) = place else { return place.name }
        return FileSource(path).identityName
    }

    /// Objects of seeds are always new.
    private static var options: ImportOptions {
        var options = ImportOptions()
        options.mode = .insert
        return options
    }

    /// The latest run that planted these seeds, if their files are unchanged; nil if there was none.
    private func earlier(
        _ names: [String], _ reader: SeedReader, on connection: Connection
    ) throws -> JournalEntry? {
        let entries = try connection.runs()
        let known = entries.last { entry in
            entry.identity.mapping == SeedRun.mapping && entry.sourceNames.prefix(names.count).elementsEqual(names)
        }
        guard let known else { return nil }
        for print in known.sources {
            let source = try source(named: print.name, reader)
            guard let source, try print.isContent(of: source, known.identity.reading)
            else {
                throw SeedError(
                    .changed,
                    "\(Excerpt.escape(print.name)) has changed since run \(known.run) planted \(names.shortList)",
                    hint:
                        "plant it with `again`, which adds all its objects once more, or plant a seed with the new objects"
                )
            }
        }
        return known
    }

    /// A file of an earlier run; nil if it does not exist any more.
    private func source(named name: String, _ reader: SeedReader) throws -> (any ByteSource)? {
        let isFile = name.hasPrefix("/")
        guard let place = isFile ? .file(name) : URL(string: name).map({ SeedPlace.remote($0) }) else { return nil }
        do {
            return try reader.source(of: place)
        } catch let error as SeedError where error.code == .unreadable {
            return nil
        }
    }
}
