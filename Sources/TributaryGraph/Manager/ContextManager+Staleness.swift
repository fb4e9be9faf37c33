import TributaryConcurrency

extension ContextManager {
    /// Deletes the objects that match the `stalenessFilter` of their class, with cascades, and saves in the background.
    ///
    /// Subclasses inherit the filter unless they override it.
    ///
    /// - Returns: The number of stale objects.
    /// - Throws: The error of the fetch or of the save; then nothing was deleted.
    @discardableResult
    public func purgeStaleObjects() async throws -> Int { try await write(ContextManager.deleteStaleObjects) }

    /// Purges stale objects again and again, the first time after an interval.
    ///
    /// - Parameters:
    ///   - interval: The time between two purges; one that takes longer delays the next.
    ///   - completion: Called on the main actor after each purge, with the number of stale objects or the error.
    /// - Returns: The timer, which ends when it is cancelled or released, or with the manager.
    public func purgeStaleObjects(
        every interval: Duration,
        completion: @escaping @MainActor @Sendable (Result<Int, any Error>) -> Void = { _ in }
    ) -> StalePurge {
        let isPurging = Guarded(false)
        return StalePurge(every: interval / .seconds(1)) { [weak self] in
            let isFree = isPurging.withLock { isPurging in
                defer { isPurging = true }
                return !isPurging
            }
            guard isFree, let self else { return }
            write(ContextManager.deleteStaleObjects) { result in
                isPurging.withLock { $0 = false }
                completion(result)
            }
        }
    }

    /// Marks the stale objects of all entities as deleted, and returns their number.
    @Sendable static func deleteStaleObjects(in context: ManagedObjectContext) throws -> Int {
        var count = 0
        for registry in context.registries where !registry.entity.isAbstract && registry.storeIndex != nil {
            guard let filter = registry.factory.type.stalenessFilter else { continue }
            var request = FetchRequest<ManagedObject>(entity: registry.entity.name, where: filter)
            request.includesSubentities = false
            let stale = try context.fetch(request)
            for object in stale { context.delete(object) }
            count += stale.count
        }
        return count
    }
}
