extension ContextManager {
    /// The numbers of these stores, of which none is issued twice.
    ///
    /// All managers of an alias share them; several stores have the generator of the first one.
    public var uniqueIDs: UniqueIDGenerator { stores.uniqueIDs }
}

extension ManagedObjectContext {
    /// The numbers of the stores of this context.
    package var uniqueIDs: UniqueIDGenerator { stores.uniqueIDs }
}
