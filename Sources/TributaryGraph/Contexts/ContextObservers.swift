/// The closures that a context calls, by the IDs of their observations.
package struct ContextObservers {
    var willSave: [Int: (ManagedObjectContext) -> Void] = [:]
    package var didSave: [Int: (ManagedObjectContext, ContextChanges) -> Void] = [:]
    package var changes: [Int: (ManagedObjectContext, ContextChanges) -> Void] = [:]
    /// Objects that observers are called for although they are not in memory.
    var interests: [Int: ManagedObjectContext.Interest] = [:]
    /// The closures to call before and after merges.
    var merges: [Int: (ManagedObjectContext.MergeStage) -> Void] = [:]
    private var last = 0

    package init() {}

    /// The ID of the next observation.
    package mutating func next() -> Int {
        last += 1
        return last
    }
}

extension [Int: (ManagedObjectContext, ContextChanges) -> Void] {
    /// Calls the closures in the order in which they were added.
    package func call(_ context: ManagedObjectContext, _ changes: ContextChanges) {
        for observer in sorted(by: { $0.key < $1.key }) { observer.value(context, changes) }
    }
}
