import Foundation
import TributaryConcurrency
public import TributaryGraph
public import TributaryImport
public import TributaryJSON

/// Inserts or updates the objects of some records at once: one fetch, the setter for each record, one save, one merge.
///
///     let records = try RecordList(json: response)
///     let authors = BatchOperation<Author>(manager, records, key: ImportKey(\Author.id)) { record, author in
///         author.name = record["name"]
///     }
///     try await authors.run()
///     print(authors.counts.inserted)
///
/// For input of any size use a ``StreamImport``.
open class BatchOperation<Object: ManagedObject>: ContextOperation, @unchecked Sendable {
    // Mutable state is protected by the lock of `results`.

    private let records: RecordList
    private let key: ImportKey
    private let mode: ImportMode
    private let onError: ErrorPolicy
    private let setter: (@Sendable (Record, Object, ManagedObjectContext) throws -> Void)?
    private let results = Guarded((counts: RecordCounts(), rejects: [Reject]()))

    /// An operation for `records`; if `onError` is `.stop`, a rejected record is an error and nothing is saved.
    public init(
        _ manager: ContextManager, _ records: RecordList, key: ImportKey, mode: ImportMode = .upsert,
        onError: ErrorPolicy = .stop, setter: (@Sendable (Record, Object) throws -> Void)? = nil
    ) {
        (self.records, self.key, self.mode, self.onError) = (records, key, mode, onError)
        if let setter {
            self.setter = { record, object, _ in try setter(record, object) }
        } else {
            self.setter = nil
        }
        super.init(manager)
    }

    /// An operation whose setter takes the context as a third argument.
    public init(
        _ manager: ContextManager, _ records: RecordList, key: ImportKey, mode: ImportMode = .upsert,
        onError: ErrorPolicy = .stop,
        setter: @escaping @Sendable (Record, Object, ManagedObjectContext) throws -> Void
    ) {
        (self.records, self.key, self.mode, self.onError, self.setter) = (records, key, mode, onError, setter)
        super.init(manager)
    }

    /// The number of records by outcome; zero before the work is done.
    public var counts: RecordCounts { results.withLock { $0.counts } }

    /// The records that were rejected.
    public var rejects: [Reject] { results.withLock { $0.rejects } }

    /// Applies the records and saves.
    open override func performWork(in context: ManagedObjectContext) throws {
        let result = try context.insertOrUpdate(
            records, into: Object.self, key: key, mode: mode, isCancelled: { [unowned self] in isCancelled },
            setter: setter.map { setter in { (record, object) in try setter(record, object, context) } })
        let rejects = records.rejects + result.rejects
        results.withLock { $0 = (result.counts, rejects) }
        if onError == .stop, let first = rejects.first { throw first.error }
        completeAndSave()
    }
}
