import TributaryGraph
import TributaryImport
import TributaryJSON

extension RecordBatch {
    /// The results of a batch so far.
    struct Progress {
        /// The object of each distinct key.
        var objects: [ManagedObject?]
        var result = BatchResult<ManagedObject>()
    }

    /// A batch that is being applied.
    ///
    /// It is immutable, so that threads do not contend for the reference counts of its properties.
    struct Run {
        let batch: RecordBatch
        let keys: SortedKeys
        let editor: ObjectEditor
        let setter: Setter?

        func reject(_ record: Record, _ error: JSONError, _ progress: inout Progress) {
            progress.result.add(record.reject(error, keepingBytes: batch.rejectedBytes))
        }

        func apply(_ record: Record, _ index: Int, _ progress: inout Progress) throws {
            let number = try batch.numbers?.number(of: index)
            let group = Int(keys.group[index])
            // An earlier setter may have deleted it or given it another key.
            if let known = progress.objects[group], !editor.isAlive(known) || !editor.hasKey(known, keys, index) {
                progress.objects[group] = nil
            }
            guard let known = progress.objects[group] else {
                if batch.mode == .update { return progress.result.add(.skipped) }
                return try insert(record, index, number, &progress)
            }
            if batch.keepsSeenKeys, let key = known.storedKey { progress.result.seenKeys.append(key) }
            switch batch.mode {
            case .insert: progress.result.add(.duplicate)
            case .ignore: progress.result.add(.skipped)
            case .upsert, .update, .replace:
                guard known.entity.isKind(of: batch.key.entity) else {
                    return reject(record, batch.entityMismatch(known), &progress)
                }
                try update(record, index, known, &progress)
            }
        }

        private func insert(
            _ record: Record, _ index: Int, _ number: Int64?, _ progress: inout Progress
        ) throws {
            editor.begin()
            let object = editor.make(keys, index, number: number)
            if let failure = try failure(of: record, index, object, progress) {
                editor.undo()
                return reject(record, failure, &progress)
            }
            assignInserted(besides: object, &progress)
            editor.keep()
            progress.objects[Int(keys.group[index])] = object
            progress.result.add(.inserted, object)
        }

        private func update(
            _ record: Record, _ index: Int, _ object: ManagedObject, _ progress: inout Progress
        ) throws {
            editor.begin()
            if batch.mode == .replace { editor.reset(object) }
            if let failure = try failure(of: record, index, object, progress) {
                editor.undo()
                reject(record, failure, &progress)
            } else if editor.hasNoChanges {
                progress.result.add(.unchanged, object)
            } else if editor.hasChanges {
                assignInserted(besides: object, &progress)
                editor.keep()
                progress.result.add(.updated, object)
            } else {
                // All values were set back.
                editor.undo()
                progress.result.add(.unchanged, object)
            }
        }

        /// Assigns objects that the setter has inserted to the later records with their keys.
        private func assignInserted(besides object: ManagedObject, _ progress: inout Progress) {
            for other in editor.objectsWithNewKeys(besides: object) {
                if let group = editor.group(of: other, in: keys) { progress.objects[group] = other }
            }
        }

        /// Calls the setter, and returns the reason to reject the record; nil if there is none.
        private func failure(
            of record: Record, _ index: Int, _ object: ManagedObject, _ progress: Progress
        ) throws -> JSONError? {
            if let setter {
                record.clearFailure()
                do {
                    try setter(record, object)
                } catch {
                    try checkAccess(of: record, object)
                    guard let refusal = RecordBatch.refusal(error) else {
                        editor.undo()
                        throw error
                    }
                    return record.failure ?? refusal
                }
                try checkAccess(of: record, object)
                if let failure = record.failure { return failure }
            }
            if editor.hasNoChanges { return nil }
            editor.propagateDeletions()
            do {
                let verdict = try batch.verdict(on: object, index, keys, editor, progress)
                try checkAccess(of: record, object)
                return verdict
            } catch {
                editor.undo()
                throw error
            }
        }

        /// - Throws: `ImportError` if the setter has used more than `batch.access` allows.
        @inline(__always)
        private func checkAccess(of record: Record, _ object: ManagedObject) throws {
            guard let access = batch.access else { return }
            if access.scope == .object, !editor.hasNoChanges, !editor.changesOnlyAttributes(of: object) {
                access.violate()
            }
            if access.isViolated {
                editor.undo()
                throw ImportError.setterNeedsContext(batch.key.entity, record, access.scope)
            }
        }
    }
}
