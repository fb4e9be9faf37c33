/// The parent of a context, which may belong to another queue.
struct ParentContext {
    private let context: ManagedObjectContext

    init(_ context: ManagedObjectContext) { self.context = context }

    /// Calls `body` with the context on its queue, and waits.
    func sync<Result>(_ body: (ManagedObjectContext) throws -> Result) rethrows -> Result {
        try context.isolation.sync { try body(context) }
    }

    /// Calls `body` with the context on its queue, waits, and throws read errors of properties.
    func reading<Result>(_ body: (ManagedObjectContext) throws -> Result) throws -> Result {
        try sync { context in try context.throwingReadFailures { try body(context) } }
    }

    /// The context itself, to be used only in ways that are safe on any queue.
    var identity: ManagedObjectContext { context }
}
