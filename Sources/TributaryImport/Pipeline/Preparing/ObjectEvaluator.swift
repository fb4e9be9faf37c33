import TributaryConcurrency
import TributaryStore
import TributaryJSON
import TributarySQLite

/// Has the setter of a route called for the records of chunks, on several threads, ahead of the thread that writes.
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

    private let work: any ObjectWork
    private let current = Guarded(Strategy.lookingUp)

    init(_ work: any ObjectWork) { self.work = work }

    /// The strategy for chunks that are admitted now; changed only while all admitted chunks are committed.
    var strategy: Strategy {
        get { current.withLock { $0 } }
        set { current.withLock { $0 = newValue } }
    }

    /// Calls the setter for the records of a chunk that are not deferred; see `ObjectWork`.
    func evaluate(
        _ records: [Record], ordinals: [Int], _ strategy: Strategy, atOnce: Bool, reader: Connection
    ) throws -> ObjectEvaluation {
        let isFirst = if case .loading = strategy { true } else { false }
        return try work.evaluate(records, ordinals: ordinals, isFirst: isFirst, atOnce: atOnce, reader: reader)
    }
}
