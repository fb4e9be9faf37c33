public import Foundation
import TributaryConcurrency

/// The single way into a database of objects: it opens the stores, has the main context and makes private ones.
///
///     let manager = try ContextManager(model: Model(Author.self, Book.self), store: .sqlite("library.sqlite"))
///     let author = manager.mainContext.insert(Author.self)
///     author.name = "Ursula K. Le Guin"
///     try manager.mainContext.save()
///
/// Several managers of one alias share one set of open stores.
open class ContextManager: @unchecked Sendable {
    // Everything that changes is behind `state`, or belongs to the main actor.

    /// The model; that of the first manager, where several share their stores.
    public var model: Model { stores.model }
    /// How the stores are opened.
    public let options: StoreOptions
    /// The name under which managers of this process share their stores.
    public let alias: String
    /// Whether files were deleted when this manager opened the stores: the options demanded it, or allowed it for files
    /// that could not be read.
    public let didEraseStores: Bool
    private let shared: SharedStores
    /// Where `write` works, one piece of work after the other.
    private let writing = ContextIsolation(label: "writing context")
    @MainActor private var main: ManagedObjectContext?

    /// Opens a store, and makes it if it does not exist.
    ///
    /// A model that came from a file needs `classes`, unless plain objects do. Without a `store` it is
    /// ``StoreLocation/default(for:)``. Managers of one `alias` share their stores; without one the file tells.
    ///
    /// - Throws: `StoreError` if the file is not ours or does not fit, `ModelError` if the classes do not, `SQLiteError`.
    public convenience init(
        model: Model, classes: [ManagedObject.Type] = [], store: StoreLocation? = nil, alias: String? = nil,
        options: StoreOptions = StoreOptions()
    ) throws {
        let location = try store ?? .default(for: alias ?? StoreLocation.programName)
        try self.init(
            model: model, classes: classes, stores: [StorePlacement(nil, at: location)], alias: alias, options: options)
    }

    /// Opens several stores, each with the entities of a configuration of the model.
    ///
    /// - Throws: as `init(model:classes:store:alias:options:)`, and `ModelError` if a relationship leads from one store to
    ///   another.
    public init(
        model: Model, classes: [ManagedObject.Type] = [], stores: [StorePlacement], alias: String? = nil,
        options: StoreOptions = StoreOptions()
    ) throws {
        self.options = options
        let classes = try ModelClasses(classes.isEmpty ? model.objectClasses : classes, of: model)
        let opening = StoreOpening(model: model, classes: classes, placements: stores, options: options)
        self.alias = alias ?? opening.alias
        (shared, didEraseStores) = try SharedStores.open(self.alias, opening)
    }

    deinit {
        // The main context may live on with objects that somebody holds; the rest goes.
        let main = UncheckedTransfer(main)
        DispatchQueue.main.async { main.value?.abandon(droppingChanges: false) }
    }

    package var stores: StoreSet { shared.set }

    /// Whether the caller is on the queue of the main actor.
    package static var isOnMainQueue: Bool { ContextIsolation.main.isCurrent }

    /// The stores that are open, as they are called in messages.
    public var storeNames: [String] { stores.stores.map(\.name) }

    // MARK: Contexts

    /// The context of the main actor; saves of private contexts are merged into it.
    @MainActor public var mainContext: ManagedObjectContext {
        if let main, main.stores === stores { return main }
        let context = ManagedObjectContext(stores, .main, name: "main context of \(alias)")
        context.mergesAutomatically = true
        main = context
        return context
    }

    /// A new context with a queue of its own, that saves into the store.
    public func newPrivateContext(name: String = "private context") -> PrivateContext {
        PrivateContext(stores, name: name)
    }

    /// The same, for a context that is reset again and again; `mergesSaves` says whether saves of others reach it.
    package func newContext(name: String, mergesSaves: Bool) -> PrivateContext {
        PrivateContext(stores, name: name, mergesSaves: mergesSaves)
    }

    /// Makes objects in a new private context, saves it and gives back what `body` returns.
    ///
    /// Of several calls one begins when the one before has saved. Whoever goes on in the main actor finds the save merged
    /// into the main context. `body` must not wait for the main actor.
    ///
    /// - Throws: what `body` and the save throw; then nothing was saved.
    @discardableResult
    public func write<Result: Sendable>(
        _ body: @escaping @Sendable (ManagedObjectContext) throws -> Result
    ) async throws -> Result {
        try await writingContext().perform { context in try ContextManager.write(body, in: context) }
    }

    /// Does the same, and calls `completion` in the main actor when the save has been merged into the main context.
    public func write<Result: Sendable>(
        _ body: @escaping @Sendable (ManagedObjectContext) throws -> Result,
        completion: @escaping @MainActor @Sendable (Swift.Result<Result, any Error>) -> Void
    ) {
        writingContext().perform { context in
            let result = Swift.Result { try ContextManager.write(body, in: context) }
            // The merge stands in the queue of the main actor already.
            Task { @MainActor in completion(result) }
        }
    }

    /// Does the same, and waits; the main context hears of it when the main actor is free.
    ///
    /// The setter of an import cannot call it: it changes objects through its own context.
    ///
    /// - Throws: what `body` and the save throw; then nothing was saved.
    @discardableResult
    public func writeAndWait<Result: Sendable>(_ body: (ManagedObjectContext) throws -> Result) throws -> Result {
        // A setter must not wait for a thread that waits for its import.
        try StoreSession.access(to: stores)?.willWrite()
        return try writingContext().performAndWait { context in try ContextManager.write(body, in: context) }
    }

    private func writingContext() -> PrivateContext { PrivateContext(stores, writing, name: "writing context") }

    private static func write<Result>(
        _ body: (ManagedObjectContext) throws -> Result, in context: ManagedObjectContext
    ) throws -> Result {
        let result = try body(context)
        try context.save()
        return result
    }

    /// Calls `body` after each save of any context into these stores, on the queue of that context.
    public func observeSaves(_ body: @escaping @Sendable (SavedChanges) -> Void) -> ContextObservation {
        let contexts = stores.contexts
        let number = contexts.listen(body)
        return ContextObservation { contexts.unlisten(number) }
    }

    /// The id that a URI means; nil if it is none, or of another store.
    public func objectID(forURI uri: URL) -> ObjectID? { stores.objectID(forURI: uri) }

    // MARK: Stores

    /// Closes the stores, deletes their files and opens new, empty ones, for all managers of the alias; earlier contexts and
    /// objects are of no use then.
    ///
    /// - Throws: what opening throws, or what the file system says.
    @MainActor open func destroyAndRebuild() throws {
        main?.reset()
        main = nil
        try shared.rebuild()
    }

    /// Closes the stores, for all managers of the alias: contexts and objects are of no use then, what was not saved is
    /// lost, and the files may be moved.
    @MainActor open func close() {
        main?.reset()
        main = nil
        shared.close()
    }

    /// Deletes the database files of a store and everything beside them; true if there were any.
    ///
    /// - Throws: `StoreError` if it is open in this process, `SQLiteError` if another one writes it, what the file system says.
    @discardableResult
    public static func erase(_ location: StoreLocation) throws -> Bool { try SharedStores.erase(location) }
}
