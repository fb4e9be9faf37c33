@MainActor
extension ContextManager {
    /// The manager whose main context is used by short calls such as `Book.all()`; nil by default.
    public static var `default`: ContextManager?

    static let noDefault = ContextError(
        .noDefault, "there is no default manager", hint: "set ContextManager.default first, or pass a context")

    static func defaultContext() throws -> ManagedObjectContext {
        guard let manager = `default` else { throw noDefault }
        return manager.mainContext
    }
}
