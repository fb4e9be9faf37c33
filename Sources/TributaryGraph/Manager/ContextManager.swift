public import Foundation
import TributaryConcurrency

/// The entry point to a database of objects: opens the stores, has the main context and creates private contexts.
///
///     let manager = try ContextManager(model: Model(Author.self, Book.self), store: .sqlite("library.sqlite"))
///     let author = manager.mainContext.insert(Author.self)
///     author.name = "Ursula K. Le Guin"
///     try manager.mainContext.save()
///
/// Managers with the same alias share one set of open stores.
open class ContextManager: @unchecked Sendable {
    // All stored properties are `Sendable` constants, except `main`, which belongs to the main actor.

    /// The model; that of the first manager if several share their stores.
    public var model: Model { stores.model }
    /// The options of the stores.
    public let options: StoreOptions
    /// The name by which managers of this process share their stores.
    public let alias: String
    /// Whether this manager deleted files when it opened the stores, by ``StoreOptions/erasesStores`` or
    /// ``StoreOptions/deletesUnreadableStores``.
    public let didEraseStores: Bool
    private let shared: SharedStores
    /// The queue on which calls of `write` run one after another.
    private let writing = ContextIsolation(label: "writing context")
    @MainActor private var main: ManagedObjectContext?

    /// Opens a store, and creates it if it does not exist; a store of an earlier model is migrated, see
    /// ``StoreOptions/migration``.
    ///
    /// A model from a file needs `classes`, unless ``ManagedObject`` itself is enough. `store` is by default
    /// ``StoreLocation/default(for:)``, and `alias` the path of the file; managers with the same alias share stores.
    ///
    /// - Throws: `StoreError` if the file is not a store of the model, `ModelError` if the classes do not fit it, or
    ///   `SQLiteError`.
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
    /// - Throws: As `init(model:classes:store:alias:options:)`, and `ModelError` if a relationship refers to
    ///   another store.
    public init(
        model: Model, classes: [ManagedObject.Type] = [], stores: [StorePlacement], alias: String? = nil,
        options: StoreOptions = StoreOptions()
    ) throws {
        self.options = options
        let classes = try ModelClasses(classes.isEmpty ? model.objectClasses : classes, of: model)
        let opening = StoreOpening(model: model, classes: classes, placements: stores, options: options)
        self.alias = alias ?? opening.alias
        (shared, didEraseStores) = try SharedStores.open(self.alias, opening)
        if options.purgesStaleObjectsWhenOpened { write(ContextManager.deleteStaleObjects) { _ in } }
    }

    deinit {
        // Objects in use may keep the main context alive; it releases all others.
        let main = UncheckedTransfer(main)
        DispatchQueue.main.async { main.value?.abandon(droppingChanges: false) }
    }

    package var stores: ObjectStores { shared.set }

    /// The names of the open stores in messages.
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

    /// Creates a context with its own queue, which saves into the stores.
    public func newPrivateContext(name: String = "private context") -> PrivateContext {
        PrivateContext(stores, name: name)
    }

    /// Creates a context with its own queue; with `mergesSaves` the saves of other contexts are merged into it.
    package func newContext(name: String, mergesSaves: Bool) -> PrivateContext {
        PrivateContext(stores, name: name, mergesSaves: mergesSaves)
    }

    /// Calls `body` with a new private context, saves the context and returns the result of `body`.
    ///
    /// Several calls run one after another, each after the save of the previous one. Code on the main actor that awaits
    /// the call resumes after the save was merged into the main context. A function that is not of the main actor may
    /// resume before the merge: mark it `@MainActor` if it reads what was saved there. `body` must not wait for the
    /// main actor.
    ///
    /// - Throws: The error of `body` or of the save; then nothing was saved.
    @discardableResult
    public func write<Result: Sendable>(
        _ body: @escaping @Sendable (ManagedObjectContext) throws -> Result
    ) async throws -> Result {
        try await writingContext().perform { context in try ContextManager.write(body, in: context) }
    }

    /// Calls `body` with a new private context and saves it; calls `completion` on the main actor after the merge.
    public func write<Result: Sendable>(
        _ body: @escaping @Sendable (ManagedObjectContext) throws -> Result,
        completion: @escaping @MainActor @Sendable (Swift.Result<Result, any Error>) -> Void
    ) {
        writingContext().perform { context in
            let result = Swift.Result { try ContextManager.write(body, in: context) }
            // The merge is already enqueued on the main actor.
            Task { @MainActor in completion(result) }
        }
    }

    /// Calls `body` with a new private context, saves it and waits; the main context merges the save later.
    ///
    /// A setter of an import cannot call it, and must use the context of the import.
    ///
    /// - Throws: The error of `body` or of the save; then nothing was saved.
    @discardableResult
    public func writeAndWait<Result: Sendable>(_ body: (ManagedObjectContext) throws -> Result) throws -> Result {
        // A setter must not wait for a thread that waits for its import.
        try StoreSession.access(to: stores)?.willWrite()
        return try writingContext().performAndWait { context in try ContextManager.write(body, in: context) }
    }

    /// Calls `body` with a new private context, and returns the result of `body`; nothing is saved.
    ///
    /// - Throws: The error of `body`.
    public func read<Result: Sendable>(
        _ body: @escaping @Sendable (ManagedObjectContext) throws -> Result
    ) async throws -> Result {
        try await newPrivateContext().perform(body)
    }

    /// Calls `body` with a new private context, waits, and returns the result of `body`; nothing is saved.
    ///
    /// - Throws: The error of `body`.
    public func readAndWait<Result: Sendable>(_ body: (ManagedObjectContext) throws -> Result) throws -> Result {
        try newPrivateContext().performAndWait(body)
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
        stores.contexts.addListener(body)
    }

    /// The saves of all contexts and imports into these stores, in their order.
    ///
    ///     for await saved in manager.saves where !saved.inserted.isEmpty { … }
    ///
    /// A loop that falls behind by a million rows gets one element whose `isReload` is true in their place.
    public var saves: SaveSequence { SaveSequence(stores.contexts) }

    /// The switches and the log of `ManagedObjectContext.crud`, for all managers of the alias.
    public var crud: CRUDSettings {
        get { stores.crudSettings.withLock { $0 } }
        set { stores.crudSettings.withLock { $0 = newValue } }
    }

    /// The numbers of these stores, of which none is issued twice.
    ///
    /// All managers of an alias share them; several stores have the generator of the first one.
    public var uniqueIDs: UniqueIDGenerator { stores.uniqueIDs }

    /// The number of rows in the table of an entity, or of another program, or `limit` if it has more.
    package func rowCount(of name: String, upTo limit: Int) throws -> Int {
        let entity = stores.model[name]
        let store = entity.map(stores.store) ?? stores.stores[0]
        return try store.read { try TableRows.count(entity?.root.name ?? name, upTo: limit, on: $0) }
    }

    /// The object ID of a URI; nil if the URI is not one of an object in these stores.
    public func objectID(forURI uri: URL) -> ObjectID? { stores.objectID(forURI: uri) }

    // MARK: Stores

    /// Closes the stores, deletes their files and opens new, empty stores, for all managers of the alias.
    ///
    /// Earlier contexts and objects become unusable.
    ///
    /// - Throws: As `init(model:classes:store:alias:options:)`, or an error of the file system.
    @MainActor open func destroyAndRebuild() throws {
        main?.reset()
        main = nil
        try shared.rebuild()
    }

    /// Closes the stores, for all managers of the alias, so that the files can be moved.
    ///
    /// Contexts and objects become unusable, and unsaved changes are lost.
    @MainActor open func close() {
        main?.reset()
        main = nil
        shared.close()
    }

    /// Deletes the database of a store, its journals and its lock, not its unique ids; true if the database existed.
    ///
    /// - Throws: `StoreError` if a manager uses it, `SQLiteError` if another process is writing it, or an error of the
    ///   file system.
    @discardableResult
    public static func erase(_ location: StoreLocation) throws -> Bool { try SharedStores.erase(location) }
}
