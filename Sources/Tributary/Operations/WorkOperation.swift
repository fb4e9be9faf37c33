public import TributaryGraph
public import TributaryImport

/// An operation that works on the stores of a manager.
///
///     final class Cleaning: WorkOperation, @unchecked Sendable {
///         override func work() throws { … }
///     }
///     queue.addOperation(Cleaning(manager))
open class WorkOperation: BackgroundOperation, @unchecked Sendable {
    /// The manager of the stores.
    public let manager: ContextManager

    /// Work on the stores of `manager`.
    public init(_ manager: ContextManager) {
        self.manager = manager
        super.init()
    }
}
