import TributaryConcurrency
import TributaryGraph
import TributaryJSON
import TributarySQLite

/// Calls the closure of a route for the records of chunks, in operations, ahead of the thread that writes.
///
/// What becomes of the objects are rows, which are written as those of any route. A closure that reads or changes more than
/// the object of its record gets the connection that writes, in its turn; from then on its route has its closures called by
/// the thread that writes.
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
        /// The context that has saved the objects itself, and tells of it when the group is committed.
        var savedContext: PrivateContext?
    }

    let objects: ImportPlan.Objects
    let mode: ImportMode
    private let store: SQLiteStore
    private let rejectedBytes: Int
    private let stopsAtRefusal: Bool
    private let makeContext: @Sendable () -> PrivateContext
    private let idle = Guarded<[PrivateContext]>([])
    private let treatment = Guarded((way: Way.leaving, filter: KeyFilter?.none, hasLeft: false))

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

    /// How chunks are treated from here on; while none is on its way.
    func treat(_ way: Way, filter: KeyFilter? = nil) {
        treatment.withLock { if !$0.hasLeft { ($0.way, $0.filter) = (way, filter) } }
    }

    /// How chunks are treated that take off now.
    var current: Way { treatment.withLock { $0.way } }

    /// The closure reaches further than the objects of its records.
    private func leave() { treatment.withLock { $0 = (.leaving, nil, true) } }

    // MARK: Keys

    /// Which records of a chunk that takes off must wait for others of their keys.
    func late(_ hashes: [UInt64?], _ keys: KeysInFlight, chunk: Int, landed: Int) -> [Bool] {
        let filter = treatment.withLock { $0.filter }
        var late: Set<UInt64> = []
        return hashes.map { hash in
            // What has no key is refused.
            guard let hash else { return false }
            // In a first load the filter knows all that came before.
            let earlier = keys.insert(hash, of: chunk, landed: filter == nil ? landed : chunk - 1)
            if earlier == chunk { return !late.isEmpty && late.contains(hash) }
            let isLate = filter?.insert(hash) ?? (earlier > 0)
            if isLate { late.insert(hash) }
            return isLate
        }
    }

    // MARK: Objects

    /// Calls the closure for records, in their order.
    ///
    /// - Parameters:
    ///   - records: Those of the chunk that need not wait.
    ///   - ordinals: For each its number among those of its chunk that share a table.
    ///   - way: How the chunk is treated.
    ///   - reader: What objects are looked up with.
    ///   - ask: Waits for the connection that writes, and the number that the record of ordinal 0 gets; nil if there is
    ///     none to be had any more.
    /// - Returns: What has become of them.
    /// - Throws: what the store throws, what `save` throws, `CancellationError`.
    func evaluate(
        _ records: [Record], ordinals: [Int], _ way: Way, reader: Connection,
        asking ask: () throws -> (connection: Connection, first: Int64)?
    ) throws -> Evaluation {
        let holder = idle.withLock { $0.popLast() } ?? makeContext()
        let evaluation = try holder.performAndWait { context in
            defer { context.reset() }
            return try evaluate(records, ordinals, way, context, reader, ask)
        }
        guard evaluation.isSaved else {
            idle.withLock { $0.append(holder) }
            return evaluation.evaluation
        }
        var result = evaluation.evaluation
        result.savedContext = holder
        return result
    }

    /// Takes a context back that has told of its saves.
    func giveBack(_ context: PrivateContext) { idle.withLock { $0.append(context) } }

    private func evaluate(
        _ records: [Record], _ ordinals: [Int], _ way: Way, _ context: ManagedObjectContext,
        _ reader: Connection, _ ask: () throws -> (connection: Connection, first: Int64)?
    ) throws -> (evaluation: Evaluation, isSaved: Bool) {
        var lent: (connection: Connection, first: Int64)?
        func connection() throws -> Connection? {
            if lent == nil {
                lent = try ask()
                leave()
            }
            return lent?.connection
        }
        var batch = RecordBatch(objects.key)
        batch.mode = mode
        batch.isFirst = way == .firstLoad
        batch.rejectedBytes = rejectedBytes
        context.holdSaves()
        let result = try store.within(reader) {
            try batch.apply(records, in: context, setter: objects.setter) { setting in
                try store.asking(connection, setting)
            }
        }
        var evaluation = Evaluation(
            rows: RowBatch(width: objects.table.columns.count), comparison: RowComparison(count: 0),
            rejects: result.rejects)
        evaluation.comparison.outcome = BulkOutcome(result)
        // Nothing of a chunk is written in which the import ends.
        if stopsAtRefusal, !result.rejects.isEmpty { return (evaluation, false) }
        var new = result.newObjects[...]
        let changed = try store.asking(connection) {
            try context.saveRows(of: objects.table) { object in
                guard let next = new.first, next.object === object else { return nil }
                new = new.dropFirst()
                return ordinals[next.record]
            }
        }
        if let changed {
            evaluation.rows = changed.rows
            let outcome = evaluation.comparison.outcome
            evaluation.comparison = changed.comparison
            evaluation.comparison.outcome = outcome
            return (evaluation, false)
        }
        guard let connection = try connection(), let lent else { throw CancellationError() }
        context.number(result.newObjects.map { ($0.object, lent.first + Int64(ordinals[$0.record])) })
        try store.within(connection) { try context.save() }
        return (evaluation, true)
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

extension BatchResult {
    /// The objects that were made, and by which records.
    fileprivate var newObjects: [(object: Object, record: Int)] {
        outcomes.indices.compactMap { index in
            outcomes[index] == .inserted ? objects[index].map { ($0, index) } : nil
        }
    }
}
