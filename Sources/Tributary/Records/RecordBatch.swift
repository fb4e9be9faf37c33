package import TributaryGraph
package import TributaryImport
package import TributaryJSON
import TributarySQLite

/// Inserts and updates objects of a context from a batch of records.
///
/// One fetch serves all records. They are applied in feed order, each is validated after its setter, and the changes of
/// a rejected record are undone.
package struct RecordBatch {
    /// Sets the attributes of an object from its record.
    package typealias Setter = (Record, ManagedObject) throws -> Void

    let key: RecordKey
    /// How records with existing keys are handled.
    package var mode = ImportMode.upsert
    /// Whether no object can have one of the keys yet, so that nothing is fetched.
    package var isFirst = false
    /// The primary keys of new rows; nil if the context reserves them when it saves.
    package var numbers: RowNumbers?
    /// The access of setters to the store; nil for full access.
    package var access: StoreAccess?
    /// Saves the context after each record, and returns the reason to reject the record, if any; nil if the caller
    /// saves.
    package var save: (() throws -> JSONError?)?
    /// Whether the result has the primary keys of stored objects that records have found.
    package var keepsSeenKeys = false
    /// Whether to stop at the next record.
    package var isCancelled: () -> Bool = { false }
    /// How many bytes of a rejected record are kept.
    package var rejectedBytes = ReadLimits().rejectedBytes

    /// A batch of records of an entity.
    package init(_ key: RecordKey) { self.key = key }

    /// Applies records in feed order to a private context; without `save` nothing is saved.
    ///
    /// After an error, also one of the store in a setter, the changes of earlier records stay, unsaved. Any other error
    /// of a setter rejects its record. `keys` are the keys of the records, if they were read already.
    package func apply(
        _ records: some Collection<Record>, keys: RowBatch? = nil, in context: ManagedObjectContext, setter: Setter?
    ) throws -> BatchResult<ManagedObject> {
        try context.checkIsPrivate()
        try checkEntity()
        var keys = SortedKeys(key.attributes, keys ?? key.keys(of: records))
        keys.sort()
        // Objects are fetched before they are edited, so that changes by `awakeFromFetch` belong to no record.
        let found =
            isFirst
            ? Array(repeating: nil, count: keys.groupCount) : try context.objects(with: keys, of: key.scope)
        var progress = Progress(objects: found)
        progress.result.reserve(records.count)
        func step(_ run: Run, _ record: Record, _ index: Int) throws {
            if isCancelled() { throw CancellationError() }
            if keys.group[index] >= 0 {
                try run.apply(record, index, &progress)
            } else {
                run.reject(record, key.failure(of: record), &progress)
            }
        }
        if let save {
            for (index, record) in records.enumerated() {
                try edit(keys, setter, in: context) { try step($0, record, index) }
                do {
                    guard let refusal = try save() else { continue }
                    progress.result.rejectLast(record.reject(refusal, keepingBytes: rejectedBytes))
                } catch is StoreAccess.Refusal {
                    throw ImportError.setterNeedsContext(key.entity, record, access?.scope)
                }
            }
        } else {
            try edit(keys, setter, in: context) { run in
                for (index, record) in records.enumerated() { try step(run, record, index) }
            }
        }
        return progress.result
    }

    /// - Throws: `ImportError` if records of the entity cannot become objects.
    func checkEntity() throws {
        guard mode != .update, key.entity.isAbstract else { return }
        throw ImportError(
            .route, "\(key.entity.name) is abstract: it has no objects of its own",
            hint: "name a subentity, or set mode to .update")
    }

    /// Calls `body` with a run that edits objects and calls setters.
    func edit(
        _ keys: SortedKeys, _ setter: Setter?, in context: ManagedObjectContext, _ body: (Run) throws -> Void
    ) throws {
        let editor = try ObjectEditor(context, key.entity, key: key.attributes, scope: key.scope)
        defer { editor.finish() }
        let run = Run(batch: self, keys: keys, editor: editor, setter: setter)
        guard access != nil else { return try body(run) }
        try context.runSetters { try body(run) }
    }
}
