struct ContextObservers {
    let willSave = Observers<(ManagedObjectContext) -> Void>()
    let didSave = Observers<(ManagedObjectContext, ContextChanges) -> Void>()
    let changes = Observers<(ManagedObjectContext, ContextChanges) -> Void>()
    /// Objects that observers are called for although they are not in memory.
    let interests = Observers<ManagedObjectContext.Interest>()
    /// The closures to call before and after merges.
    let merges = Observers<(ManagedObjectContext.MergeStage) -> Void>()
}
