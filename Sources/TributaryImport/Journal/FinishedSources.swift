import TributaryStore
import TributaryJSON

/// The sources of finished imports, by content and by name, so that thousands of sources are compared with thousands.
struct FinishedSources {
    private struct Content: Hashable {
        let size: Int
        /// The hash of the first bytes; nil for a source that may be no file, whose first bytes were not hashed.
        let head: String?
    }

    private struct Place {
        let entry: Int
        let source: Int
    }

    /// A source of an earlier import.
    struct Found {
        let entry: JournalEntry
        /// The number of the source in it.
        let index: Int
        /// Whether the import differs from the new one in its sources only.
        let isSameImport: Bool
    }

    /// The entries, the newest first.
    private let entries: [JournalEntry]
    private let isSameImport: [Bool]
    private var contents: [Content: [Place]] = [:]
    private var names: [String: Place] = [:]

    /// The sources of `finished`, the oldest first, for an import with an identity.
    init(_ finished: [JournalEntry], _ identity: ImportIdentity) {
        entries = finished.reversed()
        let wanted = identity.ofAnyContent
        isSameImport = entries.map { $0.identity.ofAnyContent == wanted }
        for (number, entry) in entries.enumerated() {
            for (index, print) in entry.sources.enumerated() {
                let place = Place(entry: number, source: index)
                if names[print.name] == nil { names[print.name] = place }
                guard let size = print.size else { continue }
                contents[Content(size: size, head: nil), default: []].append(place)
                guard let head = print.head else { continue }
                contents[Content(size: size, head: head.hash), default: []].append(place)
            }
        }
    }

    private func found(_ place: Place) -> Found {
        Found(entry: entries[place.entry], index: place.source, isSameImport: isSameImport[place.entry])
    }

    /// The latest source with a name.
    func source(named name: String) -> Found? { names[name].map(found) }

    /// The latest source with the same content as `source`.
    func source(
        like source: any ByteSource, _ print: SourceFingerprint, _ reading: ImportIdentity.Reading
    ) throws -> Found? {
        // A version stands for its bytes, which are on a server.
        if print.version != nil, let place = names[print.name],
            entries[place.entry].sources[place.source].version == print.version
        {
            return found(place)
        }
        guard let size = print.size, (source is FileSource) == (print.head != nil) else { return nil }
        // The places are of one content, as a rule: then the source is read once.
        var read: [Int?: (hash: String, byte: Int)] = [:]
        for place in contents[Content(size: size, head: print.head?.hash)] ?? [] {
            let known = entries[place.entry].sources[place.source]
            guard let passed = known.passed else { continue }
            let end = known.isWhole ?? false ? nil : passed.byte
            let mark = try read[end] ?? source.digest(upTo: end, reading.limits, reading.conversion)
            read[end] = mark
            if mark.hash == passed.hash, mark.byte == passed.byte { return found(place) }
        }
        return nil
    }
}
