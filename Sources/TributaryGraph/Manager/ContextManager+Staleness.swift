extension ContextManager {
    /// Deletes the objects that match the `stalenessFilter` of their class, with cascades, and saves in the background.
    ///
    /// Subclasses inherit the filter unless they override it.
    ///
    /// - Returns: The number of stale objects.
    /// - Throws: The error of the fetch or of the save; then nothing was deleted.
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
