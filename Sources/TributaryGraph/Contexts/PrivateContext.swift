import TributaryConcurrency
public import Dispatch

/// A context with a queue of its own, on which alone its objects can be used; this reference can be used anywhere.
///
///     let titles = try await context.perform { context in
///         try context.fetch(FetchRequest<Book>()).compactMap(\.title)
///     }
///
/// Closures return `Sendable` results: values and IDs, never objects. When the last reference is released and all
/// closures have run, unsaved changes are discarded.
public final class PrivateContext: Sendable {
    private let context: UncheckedTransfer<ManagedObjectContext>  // used on its queue alone
    let isolation: ContextIsolation

    /// A context whose saves go to the store, on a queue of its own or one that it shares with others.
    init(_ stores: ObjectStores, _ isolation: ContextIsolation? = nil, name: String, mergesSaves: Bool = true) {
        let isolation = isolation ?? ContextIsolation(label: name)
        self.isolation = isolation
        context = UncheckedTransfer(ManagedObjectContext(stores, isolation, name: name, mergesSaves: mergesSaves))
    }

    /// A context whose saves go to `parent`.
    init(parent: ManagedObjectContext, name: String) {
        isolation = ContextIsolation(label: name)
        context = UncheckedTransfer(ManagedObjectContext(parent.stores, isolation, parent: parent, name: name))
    }

    deinit {
        let context = context
        isolation.async { context.value.abandon(droppingChanges: true) }
    }

    /// Runs `body` on the queue of the context, later.
    public func perform(_ body: @escaping @Sendable (ManagedObjectContext) -> Void) {
        isolation.async { [self] in run(body) }
    }

    /// Runs `body` on the queue of the context, and returns its result.
    ///
    /// - Throws: The error of `body`.
    public func perform<Result: Sendable>(
        _ body: @escaping @Sendable (ManagedObjectContext) throws -> Result
    ) async throws -> Result {
        try await withCheckedThrowingContinuation { continuation in
            isolation.async { [self] in
                continuation.resume(with: Swift.Result { try run(body) })
            }
        }
    }

    /// Runs `body` on the queue of the context and waits for it; at once if the caller is on that queue.
    ///
    /// - Throws: The error of `body`.
    @discardableResult
    public func performAndWait<Result: Sendable>(_ body: (ManagedObjectContext) throws -> Result) rethrows -> Result {
        try isolation.sync { try run(body) }
    }

    private func run<Result>(_ body: (ManagedObjectContext) throws -> Result) rethrows -> Result {
        let context = context.value
        defer { if context.hasChanges { context.processPendingChanges() } }
        return try body(context)
    }

    /// Saves the context and all its ancestors, then calls `completion` on the main queue or on `queue`.
    ///
    /// If `queue` is the main queue, the main context has merged the save by then.
    public func saveToStore(
        on queue: DispatchQueue = .main, completion: @escaping @Sendable ((any Error)?) -> Void
    ) {
        isolation.async { [self] in
            do {
                try run { try $0.saveToStore() }
                queue.async { completion(nil) }
            } catch {
                queue.async { completion(error) }
            }
        }
    }

    /// A context with a queue of its own whose saves go into this one.
    public func child(name: String = "child") -> PrivateContext {
        performAndWait { PrivateContext(parent: $0, name: name) }
    }
}
