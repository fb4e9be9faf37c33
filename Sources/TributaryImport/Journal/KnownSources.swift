import TributaryStore
package import TributaryJSON

/// The sources of an import without a key that are in the tables already.
///
/// Without a key each record inserts a row, so importing a source again would double its rows. A source is known by its
/// content: neither its name nor the time of its last change matters.
package struct KnownSources {
    /// Where the new lines of a source begin, and its fingerprint up to there.
    package typealias Grown = (checkpoint: Checkpoint, fingerprint: SourceFingerprint)

    /// The sources to read.
    package private(set) var unread: [any ByteSource] = []
    /// Their fingerprints.
    package private(set) var prints: [SourceFingerprint] = []
    /// Where reading the first one begins, if it has grown since it was imported.
    package private(set) var grown: Grown?
    /// The names of the others.
    package private(set) var names: [String] = []
    /// The latest run that imported one of the others.
    package private(set) var latest: JournalEntry?

    /// Compares the sources with those of earlier imports into the same tables.
    ///
    /// `related` are the runs that `entries(related:keyless:among:isEmpty:)` finds; the sources are hashed without a
    /// connection. `canTruncate` says whether the import could empty its tables first.
    package init(
        _ sources: [any ByteSource], _ identity: ImportIdentity, _ options: ImportOptions,
        related: [JournalEntry], canTruncate: Bool
    ) throws {
        let finished = related.filter { $0.state == .finished }
        let unfinished = related.filter { $0.state.isUnfinished && $0.summary.counts.inserted > 0 }
        let resumes = options.resuming != .restart
        guard !resumes || !unfinished.contains(where: { $0.identity == identity }) else {
            (unread, prints) = (sources, try sources.map { try SourceFingerprint(of: $0) })
            return
        }
        let index = FinishedSources(finished, identity)
        for source in sources { try add(source, index, identity, options, canTruncate) }
        let rest = identity.replacing(sources: unread)
        let names = Set(rest.sources)
        for entry in unfinished where !resumes || entry.identity != rest {
            // A run that several processes share has no checkpoint, and may have begun each source.
            let begun = entry.sources.prefix((entry.checkpoint?.source ?? entry.sources.count) + 1)
            if !options.appendsChanged, !begun.contains(where: { names.contains($0.name) }),
                let similar = try unread.first(where: { source in
                    try begun.contains { try $0.isBegun(source, identity.reading) }
                })
            {
                throw ImportError(
                    .sourceChanged,
                    """
                    \(Excerpt.escape(similar.name)) begins with records that run \(entry.run), which is not finished, has \
                    imported into \(entry.routes.map(\.entity).shortList)
                    """, remedy: .appendContent)
            }
            guard let read = begun.first(where: { names.contains($0.name) })?.name else { continue }
            throw ImportError(
                .sourceChanged,
                """
                run \(entry.run), which is not finished, has imported records of \(read) into \
                \(entry.routes.map(\.entity).shortList)
                """, remedy: canTruncate ? .finishEarlier : .finishOrForget)
        }
    }

    /// Adds a source to those that are known, have grown, or are read.
    private mutating func add(
        _ source: any ByteSource, _ finished: FinishedSources, _ identity: ImportIdentity, _ options: ImportOptions,
        _ canTruncate: Bool
    ) throws {
        let print = try SourceFingerprint(of: source)
        func changed(_ entry: JournalEntry, _ text: String) -> ImportError {
            ImportError(
                .sourceChanged,
                """
                \(Excerpt.escape(source.name)) \(text), and without a key its \
                records in \(entry.routes.map(\.entity).shortList) cannot be recognized
                """, remedy: canTruncate ? .chooseContent : .appendContent)
        }
        if let found = try finished.source(like: source, print, identity.reading) {
            guard !found.isSameImport else {
                names.append(source.name)
                if found.entry.run > latest?.run ?? 0 { latest = found.entry }
                return
            }
            guard options.appendsChanged else {
                throw changed(found.entry, "was imported with other options by run \(found.entry.run)")
            }
        } else if let found = finished.source(named: print.name) {
            if found.isSameImport, let new = try KnownSources.grown(source, found.entry, found.index, identity) {
                guard grown == nil else {
                    throw ImportError(
                        .sourceChanged,
                        "\(unread[0].name) and \(source.name) have both grown since they were imported",
                        hint: "import them one after the other")
                }
                grown = new
                unread.insert(source, at: 0)
                prints.insert(print, at: 0)
                return
            }
            let read = found.entry.sources[found.index]
            guard read.size == nil && read.version == nil || options.appendsChanged else {
                throw changed(found.entry, "has changed since run \(found.entry.run) imported it")
            }
        }
        unread.append(source)
        prints.append(print)
    }

    /// The position where the new lines of a source begin, if it has grown since a run imported it to its end.
    private static func grown(
        _ source: any ByteSource, _ entry: JournalEntry, _ index: Int, _ identity: ImportIdentity
    ) throws -> Grown? {
        guard var checkpoint = entry.checkpoint, checkpoint.source == index,
            try entry.sources[index].hasGrown(in: source, identity.reading)
        else { return nil }
        checkpoint.source = 0
        var print = entry.sources[index]
        print.passed?.source = 0
        return (checkpoint, print)
    }

    /// The runs that imported records of the same places into the same tables without a key, and whose rows are there.
    ///
    /// `keyless` are the entities into whose tables each record inserts a row; `isEmpty` says whether one has no rows.
    package static func entries(
        related identity: ImportIdentity, keyless: Set<String>, among all: [JournalEntry],
        isEmpty: (String) throws -> Bool
    ) rethrows -> [JournalEntry] {
        let routes = identity.routes.filter { keyless.contains($0.entity) }
        var empty: [String: Bool] = [:]
        for route in routes { empty[route.entity] = try isEmpty(route.entity) }
        var entries: [JournalEntry] = []
        for entry in all {
            let isRelated = entry.routes.contains { old in
                old.key == nil
                    && routes.contains {
                        $0.entity == old.entity && ($0.path == old.path || old.path == nil || $0.path == nil)
                    }
            }
            guard isRelated else { continue }
            if entry.state == .finished, entry.truncates ?? false { entries = [] }
            // Rows that were deleted since may be imported again; a direct load has written none yet.
            if entry.routes.contains(where: { empty[$0.entity] == false }) { entries.append(entry) }
        }
        return entries
    }
}
