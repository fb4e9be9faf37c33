public import Foundation
import TributaryConcurrency

/// An operation with errors, dependencies and completions, on a thread of its operation queue.
///
///     operation.addDependency(loading)
///     operation.onCompletion { operation in print(operation.error ?? "clean") }
///     queue.addOperation(operation)             // or: try await operation.run()
///
/// When it is finished, its saves are in the store, and their merge into the main context is on the main queue, ahead
/// of the blocks of a completion. A main thread that waits for the queue does not deadlock. If a dependency has failed
/// or was cancelled, the operation is cancelled as well.
///
/// The merge of a sync that deletes rows is a reload of all objects. A `FetchedResultsController` then fetches on
/// another thread, so its list may show the deleted objects for a moment after the blocks of a completion.
open class BackgroundOperation: Operation, @unchecked Sendable {
    // Mutable state is protected by the lock of `state`.

    private struct State: Sendable {
        var errors: [any Error] = []
        var completions: [@MainActor @Sendable (BackgroundOperation) -> Void] = []
        var hasEnded = false
        var hasSucceeded = false
        var runsAfterFailures = false
    }

    /// The queue of operations that are started by `run()`.
    private static let queue = OperationQueue()

    /// The key of a value that the main queue has.
    private static let mainQueue: DispatchSpecificKey<Bool> = {
        let key = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: key, value: true)
        return key
    }()
    /// Whether the caller runs on the main queue, which may have another thread than the main one on Linux.
    private static var isOnMainQueue: Bool {
        Thread.isMainThread || DispatchQueue.getSpecific(key: mainQueue) ?? false
    }

    private let state = Guarded(State())

    /// The work, on the thread of the queue; when it returns, the operation is finished.
    ///
    /// Long work should check `isCancelled` regularly.
    ///
    /// - Throws: any error, which becomes an error of the operation.
    open func work() throws {}

    // MARK: Errors

    /// The errors, in the order in which they were added.
    public var errors: [any Error] { state.withLock { $0.errors } }

    /// The error; ``OperationErrors`` if there are several, nil if there is none.
    public var error: (any Error)? {
        let errors = errors
        return errors.count > 1 ? OperationErrors(errors: errors) : errors.first
    }

    /// Adds an error; nil is ignored.
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

    /// Whether it has ended without an error and without being cancelled.
    public var hasSucceeded: Bool { state.withLock { $0.hasSucceeded } }

    /// Calls `body` on the main actor once the operation is finished and its saves are merged into the main context.
    public func onCompletion(_ body: @escaping @MainActor @Sendable (BackgroundOperation) -> Void) {
        let hasEnded = state.withLock { state in
            if !state.hasEnded { state.completions.append(body) }
            return state.hasEnded
        }
        if hasEnded { call([body]) }
    }

    private func call(_ bodies: [@MainActor @Sendable (BackgroundOperation) -> Void]) {
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
                    "\(name ?? "\(type(of: self))") was cancelled because it depends on "
                        + "\(failed.name ?? "\(type(of: failed))"), which has not succeeded",
                    hint: "make that one succeed first, or set runsAfterFailures"))
            cancel()
            return
        }
        guard !BackgroundOperation.isOnMainQueue else {
            addError(
                ImportError(
                    .misuse, "\(type(of: self)) was started on the main queue, which it would block",
                    hint: "add it to a queue of its own: OperationQueue()"))
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

    /// Cancels the operation; work that has begun checks `isCancelled`.
    ///
    /// Subclasses override this method. In a file with an internal import of Foundation, an `open override` of
    /// Foundation's own method gets an entry in the vtable that other modules do not expect (Swift 6.3), so that they
    /// call the wrong method.
    open override func cancel() { super.cancel() }

    private var failedDependency: BackgroundOperation? {
        if runsAfterFailures { return nil }
        return dependencies.lazy.compactMap { $0 as? BackgroundOperation }.first { !$0.hasSucceeded }
    }

    /// Runs the operation and waits for its end, off the main actor; cancelling the task cancels it.
    ///
    /// A function of the main actor resumes after the saves were merged into the main context. Any other function may
    /// resume before the merge: mark it `@MainActor` if it reads what was saved there.
    ///
    /// - Throws: `error`, or `CancellationError` if it was cancelled.
    public final func run() async throws {
        await withTaskCancellationHandler {
            await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
                let end = BlockOperation { continuation.resume() }
                end.addDependency(self)
                BackgroundOperation.queue.addOperations([self, end], waitUntilFinished: false)
            }
        } onCancel: {
            cancel()
        }
        if let error { throw error }
        if isCancelled { throw CancellationError() }
    }
}
