@MainActor
extension ContextManager {
    /// The manager whose main context short calls such as `Book.all()` use; none until you set one.
    public static var `default`: ContextManager? {
        get { DefaultManager.current }
        set { DefaultManager.current = newValue }
    }

    static let noDefault = ContextError(
        .noDefault, "there is no default manager", hint: "set ContextManager.default first, or name a context")

    static func defaultContext() throws -> ManagedObjectContext {
        guard let manager = DefaultManager.current else { throw noDefault }
        return manager.mainContext
    }
}

/// Where the default manager is kept.
@MainActor
private enum DefaultManager {
    static var current: ContextManager?
}
