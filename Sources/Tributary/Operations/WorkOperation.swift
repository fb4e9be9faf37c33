public import Foundation
import TributaryConcurrency
public import TributaryGraph

/// An operation that works on the stores of a manager, on the thread that its queue gives it.
///
///     final class Cleaning: WorkOperation, @unchecked Sendable {
///         override func work() throws { … }
///     }
///     let cleaning = Cleaning(manager)
///     cleaning.addDependency(loading)
///     cleaning.onCompletion { operation in print(operation.error ?? "clean") }
///     queue.addOperation(cleaning)             // or: try await cleaning.run()
///
/// When it is finished, what it has saved is in the store, and the merge into the main context stands in the main queue,
/// ahead of whatever a completion puts there. A main thread that waits for the queue gets through. If a dependency has
/// failed or was cancelled, it is cancelled as well.
open class WorkOperation: Operation, @unchecked Sendable {
    // What changes is behind the lock of `state`.

    private struct State: Sendable {
        var errors: [any Error] = []
        var completions: [@MainActor @Sendable (WorkOperation) -> Void] = []
        var hasEnded = false
        var hasSucceeded = false
        var runsAfterFailures = false
    }

    /// Where operations run that nobody has put into a queue.
    private static let queue = OperationQueue()

    /// The manager of the stores.
    public let manager: ContextManager
    private let state = Guarded(State())

    /// Work on the stores of `manager`.
    public init(_ manager: ContextManager) { self.manager = manager }

    /// The work, on the thread of the queue; when it returns, the operation is finished.
    ///
    /// Long work looks at `isCancelled` now and then.
    ///
    /// - Throws: what becomes an error of the operation.
    open func work() throws {}

    // MARK: Errors

    /// What went wrong, in the order in which it was added.
    public var errors: [any Error] { state.withLock { $0.errors } }

    /// What went wrong: the error, ``OperationErrors`` if there are several, nil if there is none.
    public var error: (any Error)? {
        let errors = errors
        return errors.count > 1 ? OperationErrors(errors: errors) : errors.first
    }

    /// Adds an error; nil is none.
    public func addError(_ error: (any Error)?) {
        guard let error else { return }
        state.withLock { $0.errors.append(error) }
    }

    // MARK: Before and after

    /// Whether it runs even if a dependency has failed or was cancelled.
    public var runsAfterFailures: Bool {
        get { state.withLock { $0.runsAfterFailures } }
        set { state.withLock { $0.runsAfterFailures = newValue } }
    }

    /// Whether it has ended with its work done and without an error.
    public var hasSucceeded: Bool { state.withLock { $0.hasSucceeded } }

    /// Calls `body` in the main actor when the operation is finished and what it has saved is merged into the main context;
    /// soon, if that has been.
    public func onCompletion(_ body: @escaping @MainActor @Sendable (WorkOperation) -> Void) {
        let hasEnded = state.withLock { state in
            if !state.hasEnded { state.completions.append(body) }
            return state.hasEnded
        }
        if hasEnded { call([body]) }
    }

    private func call(_ bodies: [@MainActor @Sendable (WorkOperation) -> Void]) {
        guard !bodies.isEmpty else { return }
        DispatchQueue.main.async { MainActor.assumeIsolated { for body in bodies { body(self) } } }
    }

    // MARK: Running

    /// Called by queues.
    public final override func start() {
        super.start()
        let completions = state.withLock { state in
            state.hasEnded = true
            defer { state.completions = [] }
            return state.completions
        }
        call(completions)
    }

    /// Called when the operation starts and was not cancelled.
    public final override func main() {
        if let failed = failedDependency {
            addError(
                ImportError(
                    .dependency,
                    "\(name ?? "\(type(of: self))") was cancelled, for it depends on "
                        + "\(failed.name ?? "\(type(of: failed))"), which has not succeeded",
                    hint: "mend that one first, or set runsAfterFailures"))
            cancel()
            return
        }
        guard !ContextManager.isOnMainQueue else {
            addError(
                ImportError(
                    .misuse, "\(type(of: self)) was started on the main queue, which it would block",
                    hint: "put it into a queue of its own: OperationQueue()"))
            cancel()
            return
        }
        do {
            try work()
        } catch {
            addError(error)
        }
        state.withLock { $0.hasSucceeded = $0.errors.isEmpty && !isCancelled }
    }

    /// Lets it end soon; work that has begun looks at `isCancelled`.
    ///
    /// Classes below override this one. An `open override` straight over Foundation's, in a file that imports Foundation for
    /// itself only, gets a place in the table of methods that other modules do not count with (Swift 6.3), so that they call
    /// the wrong one.
    open override func cancel() { super.cancel() }

    private var failedDependency: WorkOperation? {
        if runsAfterFailures { return nil }
        return dependencies.lazy.compactMap { $0 as? WorkOperation }.first { !$0.hasSucceeded }
    }

    /// Runs it and waits for its end, off the main actor; a task that is cancelled cancels it.
    ///
    /// - Throws: `error`, or `CancellationError` if it was cancelled.
    public final func run() async throws {
        await withTaskCancellationHandler {
            await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
                let end = BlockOperation { continuation.resume() }
                end.addDependency(self)
                WorkOperation.queue.addOperations([self, end], waitUntilFinished: false)
            }
        } onCancel: {
            cancel()
        }
        if let error { throw error }
        if isCancelled { throw CancellationError() }
    }
}
