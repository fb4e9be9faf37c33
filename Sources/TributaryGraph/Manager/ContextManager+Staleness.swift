extension ContextManager {
    /// Deletes and saves in the background what the `stalenessFilter` of its class says, and what depends on it.
    ///
    /// A class hands its filter down to those below that do not override it.
    ///
    /// - Returns: how many objects were stale.
    /// - Throws: what fetching and saving throw; then nothing was deleted.
    @discardableResult
    public func purgeStaleObjects() async throws -> Int {
        try await write { context in
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
}
