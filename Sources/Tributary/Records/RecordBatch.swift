package import TributaryGraph
package import TributaryJSON
import TributarySQLite

/// Turns the records of a batch into objects of a context: one fetch for all, then record after record in the order of the
/// feed, each judged when it is done and taken back if it must be.
package struct RecordBatch {
    /// What a closure does with a record and its object.
    package typealias Setter = (Record, ManagedObject) throws -> Void

    let key: RecordKey
    /// What is done with keys that are there already.
    package var mode = ImportMode.upsert
    /// Whether no object can have one of the keys yet: then nothing is fetched.
    package var isFirst = false
    /// For each record the number of the row of the object that it would make; nil if the context shall reserve numbers
    /// when it saves.
    package var numbers: [Int64]?
    /// Whether to stop at the next record.
    package var isCancelled: () -> Bool = { false }
    /// How many bytes of a refused record are kept.
    package var rejectedBytes = ReadLimits().rejectedBytes

    /// For the records of an entity.
    package init(_ key: RecordKey) { self.key = key }

    /// Does it; nothing is saved.
    ///
    /// - Parameters:
    ///   - records: The records, in the order of the feed.
    ///   - context: Where the objects live; a private one.
    ///   - setter: What is done with each record and its object.
    ///   - whileSetting: Runs all setters, when what was fetched for them is there.
    /// - Returns: What has become of them.
    /// - Throws: `ContextError` in a context of the main actor, `CancellationError`, what reading the store throws, in a
    ///   setter as well. Of all else that a setter throws its record is refused. When this throws, what earlier records
    ///   have done is still there, unsaved.
    package func apply(
        _ records: some Collection<Record>, in context: ManagedObjectContext, setter: Setter?,
        whileSetting: (() throws -> Void) throws -> Void = { try $0() }
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
        let editor = try ObjectEditor(context, key.entity, key: key.attributes, scope: key.scope)
        defer { editor.finish() }
        let run = Run(batch: self, keys: keys, editor: editor, setter: setter)
        var progress = Progress(objects: found)
        progress.result.reserve(records.count)
        try whileSetting {
            for (index, record) in records.enumerated() {
                if isCancelled() { throw CancellationError() }
                if keys.group[index] >= 0 {
                    try run.apply(record, index, &progress)
                } else {
                    run.refuse(record, failures[index] ?? JSONError(.keyMissing, "found no key"), &progress)
                }
            }
        }
        return progress.result
    }

    /// What has come of a batch so far.
    private struct Progress {
        /// For each distinct key its object.
        var objects: [ManagedObject?]
        var result = BatchResult<ManagedObject>()
    }

    /// A batch that is being applied.
    ///
    /// It does not change while it is, so nobody counts references to what it holds: threads that do are in each
    /// other's way.
    private struct Run {
        let batch: RecordBatch
        let keys: SortedKeys
        let editor: ObjectEditor
        let setter: Setter?

        func refuse(_ record: Record, _ error: JSONError, _ progress: inout Progress) {
            progress.result.add(record.reject(error, keepingBytes: batch.rejectedBytes))
        }

        func apply(_ record: Record, _ index: Int, _ progress: inout Progress) throws {
            let group = Int(keys.group[index])
            // A setter before may have deleted it or given it another key.
            if let known = progress.objects[group], !editor.isAlive(known) || !editor.hasKey(known, keys, index) {
                progress.objects[group] = nil
            }
            guard let known = progress.objects[group] else {
                if batch.mode == .update { return progress.result.add(.skipped) }
                return try insert(record, index, group, &progress)
            }
            switch batch.mode {
            case .insert: progress.result.add(.duplicate)
            case .ignore: progress.result.add(.skipped)
            case .upsert, .update, .replace:
                guard known.entity.isKind(of: batch.key.entity) else {
                    return refuse(record, batch.foreign(known), &progress)
                }
                try update(record, index, known, &progress)
            }
        }

        private func insert(_ record: Record, _ index: Int, _ group: Int, _ progress: inout Progress) throws {
            editor.begin()
            let object = editor.make(keys, index, number: batch.numbers?[index])
            if let failure = try failure(of: record, index, object) {
                editor.takeBack()
                return refuse(record, failure, &progress)
            }
            editor.keep()
            progress.objects[group] = object
            progress.result.add(.inserted, object)
        }

        private func update(
            _ record: Record, _ index: Int, _ object: ManagedObject, _ progress: inout Progress
        ) throws {
            editor.begin()
            if batch.mode == .replace { editor.reset(object) }
            if let failure = try failure(of: record, index, object) {
                editor.takeBack()
                refuse(record, failure, &progress)
            } else if editor.isUntouched {
                progress.result.add(.unchanged, object)
            } else if editor.hasChanges {
                editor.keep()
                progress.result.add(.updated, object)
            } else {
                // What was set and set back leaves no trace.
                editor.takeBack()
                progress.result.add(.unchanged, object)
            }
        }

        /// Lets the setter do its work; gives back why the record must be refused, if it must.
        private func failure(of record: Record, _ index: Int, _ object: ManagedObject) throws -> JSONError? {
            if let setter {
                record.clearFailure()
                do {
                    try setter(record, object)
                } catch {
                    guard let refusal = RecordBatch.refusal(error) else {
                        editor.takeBack()
                        throw error
                    }
                    return record.failure ?? refusal
                }
                if let failure = record.failure { return failure }
            }
            if editor.isUntouched { return nil }
            editor.propagateDeletions()
            do {
                return try batch.verdict(on: object, index, keys, editor)
            } catch {
                editor.takeBack()
                throw error
            }
        }
    }
}
