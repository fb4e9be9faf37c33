import TributaryConcurrency
import TributaryGraph
import TributaryJSON
import TributarySQLite

/// Calls the closure of a route for the records of chunks, on several threads, ahead of the thread that writes.
///
/// What becomes of the objects are rows, which are written as those of any route. A closure that reads more than the object
/// of its record waits until all chunks before are committed; one that changes more, or reads where something that came
/// before is not to be found, has the chunk left to the thread that writes, which calls it once more. From then on its
/// route has its closures called there.
final class ObjectEvaluator: Sendable {
    /// How chunks that take off now are treated.
    enum Way: Sendable {
        /// The table was empty: a key is new unless it was seen before.
        case firstLoad
        case lookingUp
        /// Not at all.
        case leaving
    }

    /// What has become of records.
    struct Evaluation: Sendable {
        /// What is to be written.
        var rows: RowBatch
        var comparison: RowComparison
        var rejects: [Reject] = []
        /// Whether it may be more than the objects of these records.
        var reachesFurther = false
    }

    private let objects: ImportPlan.Objects
    private let mode: ImportMode
    private let store: SQLiteStore
    private let rejectedBytes: Int
    private let stopsAtRefusal: Bool
    private let makeContext: @Sendable () -> PrivateContext
    private let idle = Guarded<[PrivateContext]>([])
    private let state = Guarded((way: Way.leaving, filter: KeyFilter?.none, hasAside: false, hasLeft: false))

    init(
        _ objects: ImportPlan.Objects, _ plan: ImportPlan, mode: ImportMode,
        makeContext: @escaping @Sendable () -> PrivateContext
    ) {
        self.objects = objects
        self.mode = mode
        self.makeContext = makeContext
        store = plan.store
        rejectedBytes = plan.maker.rejectedBytes
        stopsAtRefusal = plan.maker.stopsAtRefusal
    }

    /// How chunks are treated from here on, while none is on its way; in a first load by what it knows so far.
    func treat(_ way: Way, filter: KeyFilter? = nil, hasAside: Bool = false) {
        state.withLock { if !$0.hasLeft { ($0.way, $0.filter, $0.hasAside) = (way, filter, hasAside) } }
    }

    /// How chunks are treated that take off now.
    var current: Way { treatment.way }

    /// The same, and the keys that a first load has seen.
    var treatment: (way: Way, filter: KeyFilter?) { state.withLock { ($0.way, $0.filter) } }

    /// Whether the closure has been seen to reach further than the objects of its records.
    var hasLeft: Bool { state.withLock { $0.hasLeft } }

    /// Has chunks that take off from now on left to the thread that writes.
    func leave() { state.withLock { $0 = (.leaving, nil, false, true) } }

    // MARK: Keys

    /// Which records of a chunk that takes off must wait for others of their keys, and whether any key comes twice.
    static func late(
        _ hashes: [UInt64?], _ keys: KeysInFlight, _ filter: KeyFilter?, chunk: Int, landed: Int
    ) -> (late: [Bool], repeatsKeys: Bool) {
        var late: Set<UInt64> = []
        var repeatsKeys = false
        let isLate = hashes.enumerated().map { index, hash in
            if let filter, let next = hashes[min(index + KeyFilter.distance, hashes.count - 1)] { filter.expect(next) }
            // What has no key is refused.
            guard let hash else { return false }
            // In a first load the filter knows all that came before.
            let earlier = keys.insert(hash, of: chunk, landed: filter == nil ? landed : chunk - 1)
            if earlier == chunk {
                repeatsKeys = true
                return !late.isEmpty && late.contains(hash)
            }
            let isLate = filter?.insert(hash) ?? (earlier > 0)
            if isLate { late.insert(hash) }
            return isLate
        }
        return (isLate, repeatsKeys)
    }

    /// Notes which records of a chunk that takes off have to wait; whether closures of the others find all that came before.
    func findsAll(besides late: [Bool], _ way: Way) -> Bool {
        let isAnyLate = late.contains(true)
        return state.withLock { state in
            // What a first load sets aside is applied in its end.
            if way == .firstLoad { state.hasAside = state.hasAside || isAnyLate }
            return way == .firstLoad ? !state.hasAside : !isAnyLate
        }
    }

    // MARK: Objects

    /// Calls the closure for records, in their order.
    ///
    /// - Parameters:
    ///   - records: Those of the chunk that need not wait.
    ///   - ordinals: For each its number among those of its chunk that share a table.
    ///   - way: How the chunk is treated.
    ///   - atOnce: Whether the records must be objects at the same time: some have one key.
    ///   - reader: What objects are looked up with.
    ///   - watch: Sees what else is read or written.
    /// - Returns: What has become of them; nil if nothing may, because that cannot be done ahead.
    /// - Throws: what the store throws, what `save` throws, `CancellationError`.
    func evaluate(
        _ records: [Record], ordinals: [Int], _ way: Way, atOnce: Bool, reader: Connection, _ watch: StoreWatch
    ) throws -> Evaluation? {
        // Where something is fetched, it is fetched at once.
        let length = way == .firstLoad && !atOnce ? ObjectEvaluator.sliceLength : max(1, records.count)
        let holder = idle.withLock { $0.popLast() } ?? makeContext()
        defer { idle.withLock { $0.append(holder) } }
        let evaluation = try holder.performAndWait { context -> Evaluation? in
            defer { context.reset() }
            do {
                let evaluation = try evaluate(records, ordinals, way, by: length, context, reader, watch)
                return watch.isVoid ? nil : evaluation
            } catch  where watch.isVoid {
                return nil
            }
        }
        if evaluation == nil || watch.wasUsed { leave() }
        return evaluation
    }

    /// How many records of a first load are objects at a time: what they take stays close to the processor.
    private static let sliceLength = 500

    private func evaluate(
        _ records: [Record], _ ordinals: [Int], _ way: Way, by length: Int, _ context: ManagedObjectContext,
        _ reader: Connection, _ watch: StoreWatch
    ) throws -> Evaluation? {
        var saved = ChangedRows(of: objects.table, room: way == .firstLoad ? records.count : 0)
        var outcome = BulkOutcome()
        var rejects: [Reject] = []
        var reachesFurther = false
        for start in stride(from: 0, to: records.count, by: length) {
            let slice = start..<min(start + length, records.count)
            let result = try apply(records[slice], way, context, reader, watch)
            outcome.add(BulkOutcome(result))
            rejects += result.rejects
            // Nothing of a chunk is written in which the import ends.
            if stopsAtRefusal, !rejects.isEmpty { break }
            let hasLooked = watch.wasUsed
            if hasLooked, context.hasChanges(besides: result.ownObjects) { reachesFurther = true }
            let isSaved = try store.watched(watch, reader) { try save(result, ordinals[slice], context, to: &saved) }
            guard isSaved else { return nil }
            if watch.wasUsed != hasLooked { reachesFurther = true }
            if slice.upperBound < records.count {
                // What the records so far have made is nowhere any more, and a closure that looks around would miss it.
                if watch.wasUsed { return nil }
                watch.mayRead = false
                context.reset()
            }
        }
        var comparison = saved.comparison
        comparison.outcome = outcome
        return Evaluation(rows: saved.rows, comparison: comparison, rejects: rejects, reachesFurther: reachesFurther)
    }

    /// Calls the closure for some records.
    private func apply(
        _ records: ArraySlice<Record>, _ way: Way, _ context: ManagedObjectContext, _ reader: Connection,
        _ watch: StoreWatch
    ) throws -> BatchResult<ManagedObject> {
        var batch = RecordBatch(objects.key)
        batch.mode = mode
        batch.isFirst = way == .firstLoad
        batch.rejectedBytes = rejectedBytes
        batch.isCancelled = { watch.isVoid }
        return try store.within(reader) {
            try batch.apply(records, in: context, setter: objects.setter) { setting in
                try store.watched(watch, reader, setting)
            }
        }
    }

    /// Saves what has come of records with these ordinals; false if it is more than their objects.
    private func save(
        _ result: BatchResult<ManagedObject>, _ ordinals: ArraySlice<Int>, _ context: ManagedObjectContext,
        to saved: inout ChangedRows
    ) throws -> Bool {
        var next = 0
        return try context.saveRows(of: objects.table, to: &saved) { object in
            while next < ordinals.count, result.outcomes[next] != .inserted { next += 1 }
            guard next < ordinals.count, result.objects[next] === object else { return nil }
            defer { next += 1 }
            return ordinals[ordinals.startIndex + next]
        }
    }
}

extension BulkOutcome {
    /// What has become of the records of a batch.
    fileprivate init(_ result: BatchResult<ManagedObject>) {
        self.init()
        inserted = result.inserted
        updated = result.updated
        unchanged = result.unchanged
        duplicate = result.duplicate
        skipped = result.skipped
    }
}
