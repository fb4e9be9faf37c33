/// Undoes and redoes the changes of a context.
///
///     context.undoManager = ContextUndoManager()
///     context.withUndoGroup(named: "Rename") {
///         book.title = "The Dispossessed"
///         author.name = "Ursula K. Le Guin"
///     }
///     try context.save()
///     try context.undo()      // both have their old values, as unsaved changes
///     try context.redo()
///
/// The changes between two calls of `processPendingChanges` are undone together, unless a group is open, which adds all
/// changes until its end. Every fetch and save processes pending changes; a program that does neither calls it after
/// each action of its user. New changes clear what can be redone.
///
/// Undoing restores objects, IDs, values, relationships and orders, calls no hooks and applies no delete rules. The
/// undone state is an unsaved change: an insertion that was saved becomes a deletion, and an object whose deletion was
/// saved is inserted again, as the same object with the same ID. Changes that hooks make during a save are undone with
/// the changes before it.
///
/// Saves of other contexts, refreshed values and batches are not undone. When a save of another context is merged, and
/// contains objects of the entities that were changed here or that these refer to, all actions are removed, because
/// undoing would mix the changes of both. The save of a child is one action of the undo manager of its parent.
/// `rollback` and `reset` remove all actions.
///
/// The actions retain their objects, and the old values or destinations; `levelsOfUndo` limits them. A context without
/// an undo manager keeps nothing.
public final class ContextUndoManager {
    weak var context: ManagedObjectContext?
    private var undoStack: [UndoGroup] = []
    private var redoStack: [UndoGroup] = []
    private var openGroups: [UndoGroup] = []
    private var disableCount = 0
    /// Whether changes belong to the action registered last, because hooks make them during a save.
    private var joinsLast = false
    /// The indexes of the entities of changed objects.
    private var entities: Set<Int> = []
    /// The root entities of these objects, and of those that they may refer to.
    private var reach: Set<Int> = []

    /// The number of actions that can be undone, after which the earliest ones are removed; 0 for no limit.
    public var levelsOfUndo: Int { didSet { removeExcess() } }
    /// Whether changes are being undone, and observers notified of it.
    public private(set) var isUndoing = false
    /// Whether changes are being redone, and observers notified of it.
    public private(set) var isRedoing = false

    /// An undo manager of up to `levelsOfUndo` actions, to be set as the undo manager of a context.
    public init(levelsOfUndo: Int = 0) { self.levelsOfUndo = levelsOfUndo }

    // MARK: State

    /// Whether there are changes to undo.
    public var canUndo: Bool {
        !undoStack.isEmpty || openGroups.contains { !$0.items.isEmpty } || hasUnprocessedChanges
    }

    /// Whether there are changes to redo.
    public var canRedo: Bool { !redoStack.isEmpty && !hasUnprocessedChanges }

    private var hasUnprocessedChanges: Bool { (context?.undoLog?.steps.count ?? 0) > 0 }

    /// The number of open groups.
    public var groupingLevel: Int { openGroups.count }

    /// The name of the action that `undo` undoes; empty if it has none.
    public var undoActionName: String { (openGroups.first ?? undoStack.last)?.name ?? "" }

    /// The name of the action that `redo` redoes; empty if it has none.
    public var redoActionName: String { redoStack.last?.name ?? "" }

    /// Names the open group, or else the last action, for the titles of menus.
    public func setActionName(_ name: String) {
        processChanges()
        (openGroups.last ?? undoStack.last)?.name = name
    }

    // MARK: Groups

    /// Opens a group, inside the open one if there is one; changes before the call stay outside of it.
    public func beginGroup() {
        processChanges()
        openGroups.append(UndoGroup())
    }

    /// Closes the group opened last; a group without changes is removed.
    public func endGroup() {
        processChanges()
        guard let group = openGroups.popLast() else {
            fatalError("endGroup() was called without a group; call beginGroup() first")
        }
        if !group.items.isEmpty { add(group) }
    }

    private func add(_ group: UndoGroup) {
        if let open = openGroups.last {
            open.items.append(.group(group))
        } else {
            undoStack.append(group)
            removeExcess()
        }
    }

    private func removeExcess() {
        guard levelsOfUndo > 0 else { return }
        undoStack.removeFirst(max(0, undoStack.count - levelsOfUndo))
        redoStack.removeFirst(max(0, redoStack.count - levelsOfUndo))
    }

    // MARK: Undoing

    /// Closes the open group, then undoes the last action; without one it does nothing.
    ///
    /// - Throws: `ContextError` if nested groups are open or changes are being undone, errors of the store if objects
    ///   cannot be read; then nothing is changed.
    public func undo() throws {
        let context = try prepare()
        guard openGroups.count < 2 else {
            throw ContextError(
                .notUndoable, "\(openGroups.count) nested groups are open",
                hint: "call endGroup() first, or undoNestedGroup()")
        }
        if !openGroups.isEmpty { endGroup() }
        guard let group = undoStack.last else { return }
        try apply(group, isUndo: true, to: context) { undoStack.removeLast() }
    }

    /// Undoes the group closed last, nested or not; without one it does nothing.
    ///
    /// - Throws: `ContextError` if changes were registered, or a group was opened, since its end, or changes are being
    ///   undone; errors of the store if objects cannot be read; then nothing is changed.
    public func undoNestedGroup() throws {
        guard let open = openGroups.last else { return try undo() }
        let context = try prepare()
        guard case .group(let group)? = open.items.last else {
            throw ContextError(
                .notUndoable, "the open group has no changes in a nested group, or other changes after it",
                hint: "end the open group, then call undo()")
        }
        try apply(group, isUndo: true, to: context) { open.items.removeLast() }
    }

    /// Redoes the action undone last, in the open group if there is one; without an action it does nothing.
    ///
    /// - Throws: `ContextError` if changes are being undone, errors of the store if objects cannot be read; then nothing
    ///   is changed.
    public func redo() throws {
        let context = try prepare()
        guard let group = redoStack.last else { return }
        try apply(group, isUndo: false, to: context) { redoStack.removeLast() }
    }

    private func apply(
        _ group: UndoGroup, isUndo: Bool, to context: ManagedObjectContext, removing remove: () -> Void
    ) throws {
        (isUndoing, isRedoing) = (isUndo, !isUndo)
        defer { (isUndoing, isRedoing) = (false, false) }
        try context.apply(group.steps, isUndo: isUndo)
        remove()
        if isUndo { redoStack.append(group) } else { add(group) }
        context.processPendingChanges()
    }

    /// The context, whose changes are registered first.
    private func prepare() throws -> ManagedObjectContext {
        guard !isUndoing, !isRedoing else {
            throw ContextError(
                .notUndoable, "undo or redo was called while observers are notified of an undo or redo",
                hint: "call it after that call has returned")
        }
        return processChanges()
    }

    @discardableResult
    private func processChanges() -> ManagedObjectContext {
        guard let context else {
            fatalError("the undo manager has no context; set it as the undoManager of one")
        }
        context.processPendingChanges()
        return context
    }

    /// Removes all actions; groups stay open, without their changes so far.
    public func removeAllActions() {
        context?.processPendingChanges()
        forgetAll()
    }

    /// Removes all actions, and the changes that are not registered yet.
    func forgetAll() {
        (undoStack, redoStack, entities, reach) = ([], [], [], [])
        for group in openGroups { group.items = [] }
        context?.undoLog?.removeAll()
    }

    // MARK: Registering

    /// Whether changes are registered.
    public var isRegistrationEnabled: Bool { disableCount == 0 }

    /// Registers no changes until `enableRegistration` was called as often; changes before the call are registered.
    ///
    /// Undoing earlier actions after unregistered changes of the same objects may mix both.
    public func disableRegistration() {
        context?.processPendingChanges()
        disableCount += 1
        context?.undoLog = nil
    }

    /// Registers changes again, if it was called as often as `disableRegistration`.
    public func enableRegistration() {
        demand(disableCount > 0, "enableRegistration() was called more often than disableRegistration()")
        // Every change from here on is logged.
        context?.processPendingChanges()
        disableCount -= 1
        if disableCount == 0 { context?.undoLog = UndoLog() }
    }

    /// Removes all actions if another context has saved objects that they may concern.
    ///
    /// Undoing would otherwise mix the values of both, and leave links with one end.
    func willMerge(_ saved: SavedChanges) {
        context?.processPendingChanges()
        let merged = [saved.insertedKeys, saved.updatedKeys, saved.deletedKeys].joined()
        if saved.isReload || merged.contains(where: { reach.contains($0.entity.root.index) }) { forgetAll() }
    }

    /// Adds changes to the open group, or as an action of their own.
    func register(_ steps: [UndoStep]) {
        for entity in steps.map(\.object.entity) where entities.insert(entity.index).inserted {
            reach.formUnion([entity.root.index] + entity.relationships.map(\.destination.root.index))
        }
        if joinsLast {
            (openGroups.last ?? undoStack.last)?.join(steps)
            return
        }
        redoStack = []
        if let open = openGroups.last { open.items.append(.changes(steps)) } else { add(UndoGroup([.changes(steps)])) }
    }

    /// Registers the changes before a save.
    func beginSave() {
        context?.processPendingChanges()
        joinsLast = true
    }

    /// Registers the changes that hooks have made during a save.
    func endSave() {
        // Derived attributes were set after changes were processed.
        if hasUnprocessedChanges { context?.processPendingChanges() }
        joinsLast = false
    }
}
