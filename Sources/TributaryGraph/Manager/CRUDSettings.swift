/// How a manager creates, updates, keeps and deletes objects by dictionaries.
public struct CRUDSettings: Sendable {
    /// Whether objects that exist are updated.
    public var allowUpdate = true
    /// Whether objects that exist are updated even if `allowUpdate` or the object says no.
    public var needForcedUpdate = false
    /// Whether `log` is called, for the classes that are verbose.
    public var verbose = false
    /// Gets one line for each object that was created, updated, kept or deleted, and the lines of dumps.
    public var log: @Sendable (String) -> Void = { print($0) }

    /// The defaults.
    public init() {}
}
