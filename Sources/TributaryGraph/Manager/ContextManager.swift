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

    /// The model.
    public let model: Model
    /// How the stores are opened.
    public let options: StoreOptions
    /// The name under which managers of this process share their stores.
    public let alias: String
    private let placements: [StorePlacement]
    private let classes: ModelClasses
    private let state: Guarded<SharedStores>
    @MainActor private var main: ManagedObjectContext?

    /// Opens a store, and makes it if it does not exist.
    ///
    /// - Parameters:
    ///   - model: the model; one made from classes knows them.
    ///   - classes: the classes of the entities, if the model came from a file.
    ///   - store: the file, or memory; nil is ``StoreLocation/default(for:)``.
    ///   - alias: managers of one alias share their stores; nil is a name that depends on the file.
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
        self.model = model
        self.options = options
        placements = stores
        self.classes = try ModelClasses(classes.isEmpty ? model.classes : classes, of: model)
        self.alias = alias ?? SharedStores.alias(for: stores)
        state = Guarded(
            try SharedStores.open(self.alias, model, self.classes, stores, options, deletesUnreadable: options.deletesUnreadableStores))
    }

    deinit {
        // The main context may live on with objects that somebody holds; the rest goes.
        let main = Handed(main)
        DispatchQueue.main.async { main.value?.abandon(droppingChanges: false) }
    }

    package var stores: StoreSet { state.withLock { $0.set } }

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

    /// Makes objects in a private context, saves it and gives back what `body` returns.
    ///
    /// - Throws: what `body` and the save throw; then nothing was saved.
    public func write<Result: Sendable>(
        _ body: @escaping @Sendable (ManagedObjectContext) throws -> Result
    ) async throws -> Result {
        let context = newPrivateContext(name: "writing context")
        return try await context.perform { context in
            let result = try body(context)
            try context.save()
            return result
        }
    }

    /// Does the same, and waits.
    ///
    /// - Throws: what `body` and the save throw; then nothing was saved.
    @discardableResult
    public func writeAndWait<Result: Sendable>(_ body: (ManagedObjectContext) throws -> Result) throws -> Result {
        let context = newPrivateContext(name: "writing context")
        return try context.performAndWait { context in
            let result = try body(context)
            try context.save()
            return result
        }
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

    /// Closes the stores, deletes their files and opens new, empty ones; earlier contexts and objects are of no use then.
    ///
    /// - Throws: what opening throws, or what the file system says.
    @MainActor open func destroyAndRebuild() throws {
        main?.reset()
        main = nil
        try state.withLock { shared in
            shared = try SharedStores.rebuild(alias, model, classes, placements, options)
        }
    }

    /// Deletes the database files of a store and everything beside them; true if there were any.
    ///
    /// - Throws: what the file system says, `SQLiteError` if the store is open somewhere.
    @discardableResult
    public static func erase(_ location: StoreLocation) throws -> Bool { try StoreFiles(location).delete() }
}
