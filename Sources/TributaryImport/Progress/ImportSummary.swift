public import TributaryStore
public import TributaryJSON

/// The counts of an import: each record read has exactly one of six outcomes, or is held back and has none yet.
@dynamicMemberLookup
public struct ImportSummary: Sendable, Hashable, Codable {
    /// Records read, and parts that could not be read as records.
    public var read = 0
    /// The number of records by outcome.
    public var counts = RecordCounts()
    /// Records that a load holds back until its rows are in their table; none when an import has finished.
    public var waiting = 0
    /// Bytes read from all sources, after decompression.
    public var bytes = 0
    /// The duration in seconds, including the earlier parts of a resumed run.
    public var seconds = 0.0
    /// The most memory the process had, in bytes.
    public var peakMemory = 0
    /// The record after which an earlier run had stopped; nil if the run was not resumed.
    public var resumedAt: Int?
    /// The number of the run in the journal.
    public var run = 0
    /// What the sources contain besides their records, once they have been read to the end; nil if there is nothing.
    public var outside: OutsideReport?

    /// For each entity what became of values that inferred columns could not store as they are; nil if there are none.
    public var inferred: [String: InferenceReport]?

    /// For each entity the mapped attributes without a value in any record so far, with their paths; nil for none.
    public var unmatched: [String: [String]]?

    /// For each entity what became of members that its mapping does not name, or whose values do not fit; nil if there
    /// are none.
    public var mapping: [String: MappingReport]?

    /// For each entity the outcomes of objects inside of records; nil if there are none.
    public var related: [String: RecordCounts]?
    /// For each relationship, such as `Book.author`, the references of the run whose objects are not there; nil if there
    /// are none.
    public var dangling: [String: Int]?
    /// The relationships among them that were left empty, as a rule or the import says; nil if all references wait.
    package var emptied: [String]?

    /// What a sync has deleted; nil for any other import.
    public var sync: SyncSummary?

    /// A summary without records.
    public init() {}

    /// One of the counts: `summary.inserted` is `summary.counts.inserted`.
    public subscript(dynamicMember member: KeyPath<RecordCounts, Int>) -> Int { counts[keyPath: member] }

    /// Adds what became of values of an entity.
    package mutating func add(_ report: InferenceReport, of entity: String) {
        inferred = inferred ?? [:]
        inferred?[entity, default: InferenceReport()].add(report)
    }

    /// Adds what became of members of records of an entity.
    package mutating func add(_ report: MappingReport, of entity: String) {
        mapping = mapping ?? [:]
        mapping?[entity, default: MappingReport()].add(report)
    }

    /// Adds the outcomes of objects inside of records.
    package mutating func add(_ counts: RecordCounts, of entity: String) {
        related = related ?? [:]
        related?[entity, default: RecordCounts()] += counts
    }

    /// Adds references to objects that are not there, with what became of them.
    package mutating func addDangling(_ name: RelationName, _ count: Int, _ policy: ImportOptions.Dangling) {
        let text = "\(name.entity).\(name.relationship)"
        dangling = dangling ?? [:]
        dangling?[text, default: 0] += count
        guard policy == .null, !(emptied ?? []).contains(text) else { return }
        emptied = (emptied ?? []) + [text]
    }

    /// Takes all paths of mappings for unmatched, except those of keys, as a record without one is a reject.
    package mutating func beginMatching(_ routes: [(entity: String, paths: [MappedPath])]) {
        var paths: [String: [String]] = [:]
        for route in routes {
            let known = Set(paths[route.entity] ?? [])
            paths[route.entity, default: []] += route.paths.filter { !$0.isKey }.map(\.text).filter {
                !known.contains($0)
            }
        }
        paths = paths.filter { !$0.value.isEmpty }
        unmatched = paths.isEmpty ? nil : paths
    }

    /// Notes for which of the paths of an entity's mapping records have had values.
    package mutating func add(matched: [Bool], of paths: [MappedPath], entity: String) {
        guard let missing = unmatched?[entity] else { return }
        let found = Set(zip(matched, paths).compactMap { $0 ? $1.text : nil })
        let rest = missing.filter { !found.contains($0) }
        unmatched?[entity] = rest.isEmpty ? nil : rest
        if unmatched?.isEmpty == true { unmatched = nil }
    }

    /// Adds the counts of another part of the same run.
    package mutating func add(_ part: ImportSummary) {
        read += part.read
        counts += part.counts
        waiting += part.waiting
        bytes += part.bytes
        seconds = max(seconds, part.seconds)
        peakMemory = max(peakMemory, part.peakMemory)
        if let earlier = part.resumedAt { resumedAt = (resumedAt ?? 0) + earlier }
        outside = part.outside ?? outside
        for (entity, report) in part.mapping ?? [:] { add(report, of: entity) }
        if let theirs = part.unmatched {
            unmatched = unmatched.map { own in
                own.reduce(into: [:]) { rest, entry in
                    let both = entry.value.filter { theirs[entry.key]?.contains($0) ?? false }
                    if !both.isEmpty { rest[entry.key] = both }
                }
            }
        } else {
            unmatched = nil
        }
        for (entity, counts) in part.related ?? [:] { add(counts, of: entity) }
    }

    /// Records read per second.
    public var rowsPerSecond: Double { seconds > 0 ? Double(read) / seconds : 0 }
    /// Throws if the counts of a finished import do not add up.
    package func checkBalance() throws {
        guard !isBalanced || waiting != 0 else { return }
        throw ImportError(.books, "internal error: the counts do not add up: \(self)", hint: "please report it")
    }

    /// Whether each record is in one of the counts.
    public var isBalanced: Bool { read == counts.total + waiting }
}
