import TributaryConcurrency

/// The contexts that are open on a set of stores, which are notified of one another's saves.
final class ContextRegistry: Sendable {
    /// A context that may be released at any time, and is used on its own queue only.
    final class Entry: @unchecked Sendable {
        // The reference is read on the context's queue; a weak reference may become nil on any thread.
        weak var context: ManagedObjectContext?
        let isolation: ContextIsolation
        let inbox = Inbox<SavedChanges>(bound: SavedChanges.bound)
        /// The identity of the context, for threads that must not retain it, because they could release it last.
        let contextID: ObjectIdentifier

        init(_ context: ManagedObjectContext) {
            self.context = context
            contextID = ObjectIdentifier(context)
            isolation = context.isolation
        }
    }

    private let entries = Guarded<[Entry]>([])
    private let listeners = Guarded(Observers<@Sendable (SavedChanges) -> Void>())

    /// Registers a context, which removes its entry when it is released.
    func add(_ context: ManagedObjectContext) -> Entry {
        let entry = Entry(context)
        entries.withLock { $0.append(entry) }
        return entry
    }

    func remove(_ entry: Entry) {
        entries.withLock { $0.removeAll { $0 === entry } }
    }

    var all: [Entry] { entries.withLock { $0 } }

    /// Whether a listener or another context is notified of the saves of `context`.
    func hasListeners(besides context: ManagedObjectContext?) -> Bool {
        if listeners.withLock({ !$0.isEmpty }) { return true }
        let own = context.map(ObjectIdentifier.init)
        return entries.withLock { $0.contains { $0.contextID != own } }
    }

    /// Calls `body` for each save from now on, until the observation is released.
    func addListener(_ body: @escaping @Sendable (SavedChanges) -> Void) -> ContextObservation {
        let id = listeners.withLock { $0.add(body) }
        // The closure is released outside of the lock, because it may retain other observations.
        return ContextObservation { [self] in _ = listeners.withLock { $0.remove(id) } }
    }

    func notifyListeners(of changes: SavedChanges) {
        for body in listeners.withLock({ $0.all }) { body(changes) }
    }
}
