import TributaryImport
import TributaryConcurrency
import TributaryStore
import TributaryJSON

/// Collects prepared chunks into groups, for several threads that write.
///
/// Two groups that are written at the same time have no key in common, or the later one waits: so each record is compared
/// with all earlier ones, and counts as if one connection wrote them all.
final class GroupFeed: Sendable {
    /// The limits of a group.
    struct Limits: Sendable {
        var rows = 100_000
        var bytes: Int
        /// A group ends after this time, so that what is read becomes visible and safe.
        var duration = Duration.seconds(8)
        /// The number of rows with one key, each of which needs a statement of its own.
        var rounds = 8
    }

    private struct State {
        var number = 0
        /// The keys of groups that are not committed yet, by their numbers.
        var open: [Int: [KeyCounts]] = [:]
        var isAtEnd = false
    }

    private let feed: ChunkFeed
    private let routes: Int
    private let limits: Limits
    private let watch: ImportWatch
    /// For each route the keys so far, if its table has no index yet.
    private let filters: [KeyFilter?]
    /// For each route the keys that other records of the dump have as well, if several processes share it.
    private let repeated: [KeyFilter?]
    /// For each route whether rows with one key need statements of their own, one after the other.
    private let ordersKeys: [Bool]
    /// Locked while a thread collects a group.
    private let turn = Guarded(State())
    /// Which groups are committed, whose keys later ones need not know.
    let order = CommitOrder()

    init(
        _ feed: ChunkFeed, routes: Int, limits: Limits, filters: [KeyFilter?], repeated: [KeyFilter?],
        ordersKeys: [Bool], watch: ImportWatch
    ) {
        self.repeated = repeated
        (self.feed, self.routes, self.limits, self.watch) = (feed, routes, limits, watch)
        (self.filters, self.ordersKeys) = (filters, ordersKeys)
    }

    /// The next group; nil after the last one, and when the import is stopped.
    ///
    /// An error of reading is thrown after all groups before it.
    func next() throws -> RowGroup? {
        try turn.withLock { state in
            guard !state.isAtEnd, !watch.isStopped else { return nil }
            let committed = order.committed
            for number in state.open.keys where number <= committed { state.open[number] = nil }
            var group = RowGroup(number: state.number + 1, routes: routes)
            do {
                try fill(&group, &state)
            } catch {
                // What was read before is written; asking for the next group throws the error again.
                guard !group.chunks.isEmpty else { throw error }
            }
            guard !group.chunks.isEmpty || group.isLast || group.cause != nil else { return nil }
            state.number += 1
            state.open[group.number] = group.keys
            if group.isLast || group.cause != nil { state.isAtEnd = true }
            return group
        }
    }

    private func fill(_ group: inout RowGroup, _ state: inout State) throws {
        let begin = ContinuousClock.now
        var (rows, bytes, rounds) = (0, 0, 1)
        while rows < limits.rows, bytes < limits.bytes, rounds <= limits.rounds, !watch.isStopped {
            if rows > 0, ContinuousClock.now - begin > limits.duration { return }
            switch try feed.next(milliseconds: 20) {
            case .notYet: continue
            case .end:
                group.isLast = true
                return
            case .chunk(let chunk):
                guard !chunk.endsImport else {
                    group.cause = chunk.rejects.last?.reject.error
                    return
                }
                rows += chunk.recordCount
                bytes += chunk.byteCount
                rounds = max(rounds, add(chunk, to: &group, state))
            }
        }
    }

    /// Adds a chunk; returns the largest number of rows with one key.
    private func add(_ chunk: PreparedChunk, to group: inout RowGroup, _ state: State) -> Int {
        let index = Int32(group.chunks.count)
        group.chunks.append(chunk)
        for route in 0..<routes { group.batches[route].append(chunk.parts.first { $0.route == route }?.rows) }
        var rounds: Int32 = 0
        for part in chunk.parts {
            guard let batch = part.rows else { continue }
            let route = part.route
            let (filter, repeated, orders) = (filters[route], repeated[route], ordersKeys[route])
            let open = orders ? state.open.map { ($0.key, $0.value[route]) } : []
            let counts = group.keys[route]
            let (entries, distance) = (batch.entries, KeyCounts.distance)
            for row in entries.indices {
                let hash = entries[row].hash
                if row + distance < entries.count {
                    let later = entries[row + distance].hash
                    filter?.prefetch(later)
                    if orders { counts.prefetch(later) }
                    for (_, keys) in open { keys.prefetch(later) }
                }
                // In a table without an index, a row is held back whose key may have occurred before.
                if filter?.insert(hash) ?? repeated?.contains(hash) ?? false {
                    group.held[route].append(.init(chunk: index, row: Int32(row), round: 0))
                    continue
                }
                let round = orders ? counts.add(hash) : 0
                rounds = max(rounds, round)
                group.places[route].append(.init(chunk: index, row: Int32(row), round: round))
                for (number, keys) in open where number > group.predecessor && keys.contains(hash) {
                    group.predecessor = number
                }
            }
        }
        return Int(rounds) + 1
    }
}
