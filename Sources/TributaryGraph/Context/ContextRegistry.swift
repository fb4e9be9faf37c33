import TributaryConcurrency

/// The contexts that are open on a set of stores, so that they hear of one another's saves.
final class ContextRegistry: Sendable {
    /// A context that may go at any time; it is looked at on its own queue only.
    final class Entry: @unchecked Sendable {
        // The reference is read on the context's queue; that it becomes nil is safe anywhere.
        weak var context: ManagedObjectContext?
        let isolation: ContextIsolation
        /// What it has yet to hear.
        let inbox = SaveInbox()
        /// Which context it is, for those who must not hold it: the last one to hold it lets it go, on any queue.
        let number: ObjectIdentifier

        init(_ context: ManagedObjectContext) {
            self.context = context
            number = ObjectIdentifier(context)
            isolation = context.isolation
        }
    }

    private let entries = Guarded<[Entry]>([])
    private let listeners = Guarded<[Int: @Sendable (SavedChanges) -> Void]>([:])
    private let lastListener = Guarded(0)

    /// Enters a context; it leaves with the entry when it goes.
    func enter(_ context: ManagedObjectContext) -> Entry {
        let entry = Entry(context)
        entries.withLock { $0.append(entry) }
        return entry
    }

    /// A context goes.
    func leave(_ entry: Entry) {
        entries.withLock { $0.removeAll { $0 === entry } }
    }

    /// The contexts that are there.
    var all: [Entry] { entries.withLock { $0 } }

    /// Whether anybody hears of the saves of `context`.
    func hasListeners(besides context: ManagedObjectContext?) -> Bool {
        if listeners.withLock({ !$0.isEmpty }) { return true }
        let own = context.map(ObjectIdentifier.init)
        return entries.withLock { $0.contains { $0.number != own } }
    }

    /// Calls `body` for each save from now on; the number ends that.
    func listen(_ body: @escaping @Sendable (SavedChanges) -> Void) -> Int {
        let number = lastListener.withLock { last in
            last += 1
            return last
        }
        listeners.withLock { $0[number] = body }
        return number
    }

    /// Ends what `listen` began.
    func unlisten(_ number: Int) { _ = listeners.withLock { $0.removeValue(forKey: number) } }

    /// Tells of a save.
    func tell(_ changes: SavedChanges) {
        for body in listeners.withLock({ Array($0.values) }) { body(changes) }
    }
}
