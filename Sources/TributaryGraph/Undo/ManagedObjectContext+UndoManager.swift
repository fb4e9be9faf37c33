extension ManagedObjectContext {
    /// Undoes the last action of the undo manager; without an undo manager or an action it does nothing.
    ///
    /// - Throws: As `ContextUndoManager.undo()`.
    public func undo() throws {
        check()
        try undoManager?.undo()
    }

    /// Redoes the action undone last; without an undo manager or an action it does nothing.
    ///
    /// - Throws: As `ContextUndoManager.redo()`.
    public func redo() throws {
        check()
        try undoManager?.redo()
    }

    /// Calls `body`, whose changes are undone together, and returns its result; also if it throws.
    ///
    /// Without an undo manager it only calls `body`.
    ///
    /// - Throws: The error of `body`.
    @discardableResult
    public func withUndoGroup<Result>(named name: String = "", _ body: () throws -> Result) rethrows -> Result {
        check()
        guard let undoManager else { return try body() }
        undoManager.beginGroup()
        let level = undoManager.groupingLevel
        // The body may have ended the group by an undo, or taken the undo manager away.
        defer { if undoManager.context === self, undoManager.groupingLevel >= level { undoManager.endGroup() } }
        if !name.isEmpty { undoManager.setActionName(name) }
        return try body()
    }

    /// Ends the registration of changes by the former undo manager, and begins that by the new one.
    func undoManagerDidChange(from former: ContextUndoManager?) {
        guard former !== undoManager else { return }
        check()
        undoLog = nil
        former?.forgetAll()
        former?.context = nil
        guard let undoManager else { return }
        demand(undoManager.context == nil, "an undo manager belongs to one context")
        // Every change from here on is logged.
        processPendingChanges()
        undoManager.context = self
        if undoManager.isRegistrationEnabled { undoLog = UndoLog() }
    }

    func registerChanges() {
        // The changes of an `ObjectEditor` stay together until it is finished.
        guard let undoLog, undoLog.steps.count > 0, editLog == nil else { return }
        undoManager?.register(undoLog.removeAll())
    }

    /// Calls `body`, whose changes come from another context or from the store, and are not registered.
    func withoutRegistration<Result>(_ body: () throws -> Result) rethrows -> Result {
        guard undoLog != nil else { return try body() }
        processPendingChanges()
        let log = undoLog
        undoLog = nil
        defer {
            propagateDeletions()
            undoLog = log
            // Every change from here on is logged.
            processPendingChanges()
        }
        return try body()
    }
}
