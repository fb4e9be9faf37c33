import TributaryConcurrency
import Dispatch

extension FetchedResultsController {
    func contextDidChange(_ changes: ContextChanges) {
        if changes.isReset { return stop() }
        for objects in [changes.inserted, changes.updated, changes.deleted, changes.refreshed] {
            for object in objects where query.includes(object.entity) { following.objects[object] = true }
        }
        process()
    }

    /// A save gives new objects their keys, and may change what was reported already; results that are being fetched may
    /// be those before it.
    func contextDidSave(_ changes: ContextChanges) {
        for objects in [changes.inserted, changes.updated, changes.deleted] {
            for object in objects where query.includes(object.entity) && following.objects[object] == nil {
                // Derived values are computed after the last changes were reported.
                following.objects[object] = object.registry?.derived != nil
            }
        }
        process()
    }

    func contextMerges(_ stage: ManagedObjectContext.MergeStage) {
        guard case .ended(let saved) = stage else {
            following.mergeDepth += 1
            return
        }
        following.mergeDepth = max(0, following.mergeDepth - 1)
        var count = following.rows.count
        var rows: [ArraySlice<Int64>] = []
        for groups in [saved.deletedKeys, saved.updatedKeys, saved.insertedKeys] {
            for group in groups where query.mayInclude(savedAs: group.entity) {
                count += group.keys.count
                rows.append(group.keys[...])
            }
        }
        if saved.isReload || count > reloadThreshold {
            reload()
        } else {
            for keys in rows { following.rows += keys }
        }
        process()
    }

    // MARK: Processing

    /// Applies what has changed, and reports it; many rows in slices.
    func process() {
        guard following.mergeDepth == 0, !following.isNotifying else { return }
        while !following.objects.isEmpty || (!following.rows.isEmpty && !following.isScheduled) {
            guard var list else { return }
            let objects = following.objects
            following.objects = [:]
            let rows = following.isScheduled ? [] : following.takeRows(ResultsQuery.slice)
            if !following.rows.isEmpty, !following.isScheduled { schedule() }
            do {
                let edits = try edits(objects, rows, in: list)
                if following.isReloading {
                    following.changedRows.formUnion(rows)
                    following.changedRows.formUnion(objects.keys.lazy.map(\.key).filter { $0 > 0 })
                    following.needsReload = following.needsReload || following.changedRows.count > reloadThreshold
                }
                if edits.isEmpty { continue }
                self.list = nil  // so that the list is changed in place
                let change = list.apply(edits, id: id)
                self.list = list
                if change.isEmpty { continue }
                replace(list)
                deliver(change)
            } catch {
                onError?(error)
            }
        }
    }

    /// Reports a change; changes that are made meanwhile are reported after it.
    func deliver(_ change: ResultsChange) {
        following.isNotifying = true
        notifyObservers(of: change)
        following.isNotifying = false
    }

    /// Applies more rows when the queue of the context has run other work.
    private func schedule() {
        following.isScheduled = true
        let resume = UncheckedTransfer { [weak self] in
            self?.following.isScheduled = false
            self?.process()
        }
        context.isolation.async { resume.value() }
    }

    // MARK: Edits

    /// The edits for changed objects and rows, at most one for each key of the list.
    func edits(
        _ objects: [ManagedObject: Bool], _ rows: some Sequence<Int64>, in list: ResultsList
    ) throws -> [ResultsEdit] {
        try context.throwingReadFailures {
            var objects = objects
            let map = context.registry(query.entity).map
            var missing: [Int64] = []
            for key in Set(rows) where key > 0 {
                if let object = map.find(key), !object.accessFlags.contains(.fault) {
                    objects[object] = true
                } else {
                    missing.append(key)
                }
            }
            // Objects that got a row are in the list under another key.
            var formerKeys: [ManagedObject: Int64] = [:]
            for (key, object) in newObjects where object.key != key || object.state.contains(.detached) {
                formerKeys[object] = key
                objects[object] = objects[object] ?? false
            }
            var edits: [ResultsEdit] = []
            var edited: Set<Int64> = []
            for (object, isUpdate) in objects {
                // Another object may have taken over its row.
                if object.state.contains(.detached), formerKeys[object] == nil, map.find(object.key) != nil { continue }
                edits += try self.edits(object, isUpdate, formerKeys[object], list)
                edited.insert(object.key)
            }
            missing.removeAll { edited.contains($0) }
            for object in try loaded(missing, in: list) {
                edited.insert(object.key)
                edits.append(ResultsEdit(key: object.key, row: try query.unfilteredRow(of: object)))
            }
            for key in missing where !edited.contains(key) && list.contains(key) {
                edits.append(ResultsEdit(key: key, row: nil))
            }
            return edits
        }
    }

    /// The objects of rows that belong to the results, of which none is in memory.
    private func loaded(_ keys: [Int64], in list: ResultsList) throws -> [ManagedObject] {
        guard !keys.isEmpty else { return [] }
        let interest = ManagedObjectContext.Interest(entity: query.entity, filter: query.filter)
        return try context.matching(keys, interest).filter {
            query.includes($0.entity) && $0.state.isDisjoint(with: [.deleted, .detached])
        }
    }

    private func edits(
        _ object: ManagedObject, _ isUpdate: Bool, _ formerKey: Int64?, _ list: ResultsList
    ) throws -> [ResultsEdit] {
        let row = try query.row(of: object)
        if let row, row.key < 0 || object.state.contains(.inserted) { newObjects[row.key] = object }
        guard let formerKey else {
            if row == nil { newObjects[object.key] = nil }
            return row != nil || list.contains(object.key)
                ? [ResultsEdit(key: object.key, row: row, isUpdate: isUpdate)] : []
        }
        newObjects[formerKey] = nil
        if let row, list.contains(row.key) {
            // The save merged it into a row that the list has already.
            return [ResultsEdit(key: formerKey, row: nil), ResultsEdit(key: row.key, row: row)]
        }
        return [ResultsEdit(key: formerKey, row: row, isUpdate: isUpdate)]
    }
}
