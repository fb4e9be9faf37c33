public import TributaryGraph
public import TributaryImport

extension Retry {
    /// A retry of the rejects of `source` in the stores of a manager; `routes` are those of the import that have setters.
    ///
    /// Routes with a setter must be given again; entities without one are imported as rows.
    public convenience init(
        _ manager: ContextManager, from source: RejectSource = .store, routes: [ImportRoute] = [],
        options: RetryOptions = RetryOptions()
    ) {
        self.init(of: source, routes: routes, options: options, objects: { ManagerObjects(manager) })
    }
}

extension ContextManager {
    /// Imports rejected records again; see ``Retry``.
    ///
    /// - Throws: The errors of `Retry.perform()`.
    @discardableResult
    public func retry(
        _ source: RejectSource = .store, routes: [ImportRoute] = [], options: RetryOptions = RetryOptions()
    ) throws -> RetrySummary {
        try Retry(self, from: source, routes: routes, options: options).perform()
    }
}
