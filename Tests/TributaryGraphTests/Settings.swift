import TributaryGraph

extension ContextManager {
    /// Runs `body` in a new private context that has a merge policy.
    func inNewContext<Result: Sendable>(
        merging policy: MergePolicy, _ body: (ManagedObjectContext) throws -> Result
    ) rethrows -> Result {
        try newPrivateContext().performAndWait { context in
            context.mergePolicy = policy
            return try body(context)
        }
    }
}

extension StoreOptions {
    /// The default options with a change.
    init(_ change: (inout StoreOptions) -> Void) {
        self.init()
        change(&self)
    }
}

/// The text of the error that `body` throws, or nil.
func errorText(_ body: () throws -> Void) -> String? {
    do {
        try body()
        return nil
    } catch {
        return "\(error)"
    }
}
