import TributaryConcurrency
import TributaryGraph
import TributaryJSON
import TributarySQLite

/// Calls the setter of a route for the records of chunks, on several threads, ahead of the thread that writes.
///
/// The objects become rows, which are written like those of any route. The setter may use its record and the attributes
/// of its object; the import ends if it uses more.
final class ObjectEvaluator: Sendable {
    /// How the objects of a chunk are looked up.
    enum Strategy: Sendable {
        /// In a table that is loaded, a key is new unless the filter contains it.
        case loading(KeyFilter)
        case lookingUp

        var filter: KeyFilter? { if case .loading(let filter) = self { filter } else { nil } }
    }

    /// The result for some records.
    struct Evaluation: Sendable {
        /// The rows to write.
        var rows: RowBatch
        var comparison: RowComparison
        var rejects: [Reject] = []
    }

    private let objects: ImportPlan.Objects
    private let plan: ImportPlan
    private let mode: ImportMode
    private let makeContext: @Sendable () -> PrivateContext
    private let idle = Guarded<[PrivateContext]>([])
    private let current = Guarded(Strategy.lookingUp)

    init(
        _ objects: ImportPlan.Objects, _ plan: ImportPlan, mode: ImportMode,
        makeContext: @escaping @Sendable () -> PrivateContext
    ) {
        self.objects = objects
        self.plan = plan
        self.mode = mode
        self.makeContext = makeContext
    }

    /// The strategy for chunks that are admitted now; changed only while all admitted chunks are committed.
    var strategy: Strategy {
        get { current.withLock { $0 } }
        set { current.withLock { $0 = newValue } }
    }

    // MARK: Objects

    /// Calls the setter for records, in their order.
    ///
    /// - Parameters:
    ///   - records: The records of the chunk that are not deferred.
    ///   - ordinals: For each record its ordinal among the records of its chunk that share its table.
    ///   - strategy: How their objects are looked up.
    ///   - atOnce: Whether all records must be objects at the same time, because keys repeat.
    ///   - reader: The connection to look objects up with.
    /// - Returns: The rows and rejects of the records.
    /// - Throws: `ImportError` if a setter used more than its scope allows; errors of the store and of saving.
    func evaluate(
        _ records: [Record], ordinals: [Int], _ strategy: Strategy, atOnce: Bool, reader: Connection
    ) throws -> Evaluation {
        let isFirst = if case .loading = strategy { true } else { false }
        // Objects that must be looked up are looked up together.
        let length = isFirst && !atOnce ? ObjectEvaluator.sliceLength : max(1, records.count)
        let holder = idle.withLock { $0.popLast() } ?? makeContext()
        defer { idle.withLock { $0.append(holder) } }
        return try holder.performAndWait { context in
            defer { context.reset() }
            let access = StoreAccess(.object)
            return try plan.store.within(reader, limit: access) {
                try evaluate(records, ordinals, isFirst: isFirst, by: length, context, access)
            }
        }
    }

    /// How many records of a load are objects at a time: their memory fits into the cache of the processor.
    private static let sliceLength = 500

    private func evaluate(
        _ records: [Record], _ ordinals: [Int], isFirst: Bool, by length: Int, _ context: ManagedObjectContext,
        _ access: StoreAccess
    ) throws -> Evaluation {
        var saved = ChangedRows(of: objects.table, room: isFirst ? records.count : 0)
        var outcome = BulkOutcome()
        var rejects: [Reject] = []
        var batch = RecordBatch(objects.key)
        batch.mode = mode
        batch.isFirst = isFirst
        batch.access = access
        batch.keepsSeenKeys = plan.identity.feed != nil
        batch.rejectedBytes = plan.maker.rejectedBytes
        let setter = objects.setter.closure(in: context)
        for start in stride(from: 0, to: records.count, by: length) {
            let slice = start..<min(start + length, records.count)
            let result = try batch.apply(records[slice], in: context, setter: setter)
            outcome.counts += result.counts
            outcome.seenKeys += result.seenKeys
            // Rejects are counted when they are recorded.
            outcome.counts.rejected = 0
            rejects += result.rejects
            // Nothing is written of a chunk whose reject ends the import.
            if plan.maker.stopsAtReject, !rejects.isEmpty { break }
            do {
                try save(result, ordinals[slice], context, access, to: &saved)
            } catch is StoreAccess.Refusal {
                throw objects.violation(access, records[slice], result)
            }
            if slice.upperBound < records.count { context.reset() }
        }
        var comparison = saved.comparison
        comparison.outcome = outcome
        return Evaluation(rows: saved.rows, comparison: comparison, rejects: rejects)
    }

    /// Saves the objects of records with these ordinals as rows.
    private func save(
        _ result: BatchResult<ManagedObject>, _ ordinals: ArraySlice<Int>, _ context: ManagedObjectContext,
        _ access: StoreAccess, to saved: inout ChangedRows
    ) throws {
        var next = 0
        try context.saveRows(of: objects.table, to: &saved, access) { object in
            while next < ordinals.count, result.outcomes[next] != .inserted { next += 1 }
            guard next < ordinals.count, result.objects[next] === object else { return nil }
            defer { next += 1 }
            return ordinals[ordinals.startIndex + next]
        }
    }
}
