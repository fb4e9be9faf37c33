package import TributaryGraph
package import TributaryJSON
import TributarySQLite

/// Turns the records of a batch into objects of a context: one fetch for all, then record after record in feed order, each
/// validated when its setter has run, and undone if it must be.
package struct RecordBatch {
    /// What a setter does with a record and its object.
    package typealias Setter = (Record, ManagedObject) throws -> Void

    let key: RecordKey
    /// What is done with keys that exist already.
    package var mode = ImportMode.upsert
    /// Whether no object can have one of the keys yet: then nothing is fetched.
    package var isFirst = false
    /// The numbers of the rows that records make; nil if the context reserves them when it saves.
    package var numbers: RowNumbers?
    /// What setters may use; nil for everything.
    package var access: StoreAccess?
    /// Saves the context after each record, and returns why the record is rejected, if it is; nil if the caller saves.
    package var save: (() throws -> JSONError?)?
    /// Whether to stop at the next record.
    package var isCancelled: () -> Bool = { false }
    /// How many bytes of a rejected record are kept.
    package var rejectedBytes = ReadLimits().rejectedBytes

    /// A batch of records of an entity.
    package init(_ key: RecordKey) { self.key = key }

    /// Applies records to a context; without `save` nothing is saved.
    ///
    /// - Parameters:
    ///   - records: The records, in feed order.
    ///   - context: Where the objects live; a private one.
    ///   - setter: What is done with each record and its object.
    /// - Returns: How each record has ended.
    /// - Throws: `ContextError` in a context of the main actor, `CancellationError`, `ImportError` if a setter has used more
    ///   than `access` allows, and what reading the store throws, in a setter as well. Any other error of a setter rejects its
    ///   record. When this throws, the changes of earlier records are still there, unsaved.
    package func apply(
        _ records: some Collection<Record>, in context: ManagedObjectContext, setter: Setter?
    ) throws -> BatchResult<ManagedObject> {
        try context.demandPrivate()
        if mode != .update, key.entity.isAbstract {
            throw ImportError(
                .route, "\(key.entity.name) is abstract: it has no objects of its own",
                hint: "name an entity below it, or only update")
        }
        let (keys, failures) = key.keys(of: records)
        // Objects stay what they are while they are edited: what fetching changes belongs to no record.
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
                run.reject(record, failures[index] ?? JSONError(.keyMissing, "found no key"), &progress)
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

    /// Calls `body` with what edits objects and calls setters.
    private func edit(
        _ keys: SortedKeys, _ setter: Setter?, in context: ManagedObjectContext, _ body: (Run) throws -> Void
    ) throws {
        let editor = try ObjectEditor(context, key.entity, key: key.attributes, scope: key.scope)
        defer { editor.finish() }
        let run = Run(batch: self, keys: keys, editor: editor, setter: setter)
        guard access != nil else { return try body(run) }
        try context.runSetters { try body(run) }
    }
}
