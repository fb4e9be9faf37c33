/// The context above another one, which may belong to another queue.
struct ParentContext {
    private let context: ManagedObjectContext

    init(_ context: ManagedObjectContext) { self.context = context }

    /// Calls `body` with the context, where it belongs, and waits.
    func sync<Result>(_ body: (ManagedObjectContext) throws -> Result) rethrows -> Result {
        try context.isolation.sync { try body(context) }
    }

    /// Calls `body` with the context, where it belongs, and waits; what cannot be read there is thrown.
    func reading<Result>(_ body: (ManagedObjectContext) throws -> Result) throws -> Result {
        try sync { context in try context.throwingReadFailures { try body(context) } }
    }

    /// The context itself, for whoever only tells it from others.
    var identity: ManagedObjectContext { context }
}
