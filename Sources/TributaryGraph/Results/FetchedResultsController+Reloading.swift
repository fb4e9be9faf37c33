import TributaryConcurrency
import Dispatch

/// Fetching all results, at first and after many changes.
extension FetchedResultsController {
    /// The results of the store with the changes of the context.
    func fetchedList() throws -> ResultsList {
        if context.parent != nil || context.reachesChanges(query.filter, query.sort, from: query.entity) {
            var all = request
            all.batchSize = 0
            let objects = try context.fetch(all)
            for object in objects where object.key < 0 { newObjects[object.key] = object }
            return try context.throwingReadFailures {
                var list = ResultsList(query)
                for object in objects { list.append(try query.unfilteredRow(of: object)) }
                list.arrange()
                return list
            }
        }
        let scratch = ManagedObjectContext(
            context.stores, context.isolation, name: "results of \(query.entity.name)", mergesSaves: false)
        defer { scratch.abandon(droppingChanges: true) }
        var list = try query.storedRows(in: scratch)
        try applyChanges(to: &list, rows: [])
        return list
    }

    /// Applies the unsaved changes of the context, and rows that may have changed since the list was fetched.
    private func applyChanges(to list: inout ResultsList, rows: Set<Int64>) throws {
        var objects: [ManagedObject: Bool] = [:]
        for object in context.pendingChanges.objects where object.hasChanges && query.includes(object.entity) {
            objects[object] = false
        }
        _ = list.apply(try edits(objects, rows, in: list), id: id)
    }

    /// Fetches all results on another thread, and replaces the list then.
    func reload() {
        following.rows = []
        guard list != nil else { return }
        guard !following.isReloading else {
            following.needsReload = true
            return
        }
        guard context.parent == nil else { return reloadAtOnce() }
        following.isReloading = true
        following.needsReload = false
        following.changedRows = []
        let (query, isolation, generation) = (query, context.isolation, following.generation)
        let finish = UncheckedTransfer { [weak self] in self?.finishReload($0, generation) }
        let reader = PrivateContext(context.stores, name: "results of \(query.entity.name)", mergesSaves: false)
        reader.perform { context in
            let result = Result { try query.storedRows(in: context) }
            isolation.async { finish.value(result) }
        }
    }

    /// The parent has the objects, so that no other thread can read them.
    private func reloadAtOnce() {
        let known = newObjects
        do {
            newObjects = [:]
            replace(try fetchedList())
            deliver(.reload())
        } catch {
            newObjects = known
            onError?(error)
        }
    }

    private func finishReload(_ result: Result<ResultsList, any Error>, _ generation: Int) {
        guard generation == following.generation, let old = list else { return }
        following.isReloading = false
        let rows = following.changedRows
        following.changedRows = []
        do {
            var fresh = try result.get()
            try applyChanges(to: &fresh, rows: rows)
            replace(fresh)
            // Releasing a long list takes a while.
            DispatchQueue.global().async { withExtendedLifetime(old) {} }
            if following.needsReload { reload() }
            deliver(.reload())
        } catch {
            onError?(error)
        }
        process()
    }
}
