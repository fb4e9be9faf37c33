/// A first-in, first-out queue between two threads, with a bounded total weight.
///
/// The producer sleeps while the queue is full, so a slow consumer slows the producer down instead of filling the
/// memory. Threads may wait for elements with `pop`, or one task with `next`.
package final class BoundedQueue<Element: Sendable>: Sendable {
    private struct State {
        /// The elements; a removed one is nil until half of the array is nil.
        var elements: [(element: Element, weight: Int)?] = []
        var removedCount = 0
        var weight = 0
        var isFinished = false
        var isCancelled = false
        var failure: (any Error)?
        var waiter: CheckedContinuation<Element?, any Error>?

        mutating func removeFirst() -> Element? {
            guard removedCount < elements.count, let first = elements[removedCount] else { return nil }
            elements[removedCount] = nil
            removedCount += 1
            if removedCount * 2 > elements.count {
                elements.removeFirst(removedCount)
                removedCount = 0
            }
            weight -= first.weight
            return first.element
        }

        /// The result for a consumer of an empty queue, or nil if more elements may follow.
        var ending: Result<Element?, any Error>? {
            if isCancelled { return .failure(CancellationError()) }
            guard isFinished else { return nil }
            return failure.map { .failure($0) } ?? .success(nil)
        }

        mutating func attempt() -> Result<Element?, any Error>? {
            if isCancelled { return ending }
            if let element = removeFirst() { return .success(element) }
            return ending
        }
    }

    private let capacity: Int
    private let monitor: Monitor<State>

    /// Makes a queue that accepts elements while their total weight is less than `capacity`.
    package init(capacity: Int) {
        self.capacity = capacity
        monitor = Monitor(State())
    }

    /// Adds an element; waits while the queue is full.
    ///
    /// - Returns: false if the queue is cancelled, so the producer should stop.
    package func push(_ element: Element, weight: Int) -> Bool {
        let waiter: CheckedContinuation<Element?, any Error>?? = monitor.wait { state in
            if state.isCancelled { return .some(.none) }
            if let waiter = state.waiter {
                state.waiter = nil
                return .some(waiter)
            }
            guard state.weight == 0 || state.weight < self.capacity else { return nil }
            state.elements.append((element, weight))
            state.weight += weight
            return .some(.none)
        }
        if case .some(.some(let waiter)) = waiter {
            waiter.resume(returning: element)
            return true
        }
        return !monitor.read { $0.isCancelled }
    }

    /// Ends the queue; consumers receive the remaining elements, then `failure` is thrown.
    package func finish(throwing failure: (any Error)? = nil) {
        end { state in
            guard !state.isFinished else { return }
            state.isFinished = true
            state.failure = failure
        }
    }

    /// Ends the queue at once and drops its elements.
    package func cancel() {
        end { state in
            state.isCancelled = true
            state.elements.removeAll()
            state.removedCount = 0
            state.weight = 0
        }
    }

    package var isCancelled: Bool { monitor.read { $0.isCancelled } }

    private func end(_ body: (inout State) -> Void) {
        let woken = monitor.update {
            state -> (CheckedContinuation<Element?, any Error>, Result<Element?, any Error>)? in
            body(&state)
            guard let waiter = state.waiter, let ending = state.ending else { return nil }
            state.waiter = nil
            return (waiter, ending)
        }
        woken?.0.resume(with: woken?.1 ?? .success(nil))
    }

    /// Removes the next element, and sleeps until there is one; nil at the end.
    package func pop() throws -> Element? {
        try monitor.wait { $0.attempt() }.get()
    }

    /// Removes the next element if there is one within the time; `.none` on a timeout.
    package func pop(milliseconds: Int) throws -> Element?? {
        guard let result = monitor.wait(milliseconds: milliseconds, until: { $0.attempt() }) else { return .none }
        return .some(try result.get())
    }

    /// Removes the next element, and suspends until there is one or the queue is cancelled; nil at the end.
    package func next() async throws -> Element? {
        try await withCheckedThrowingContinuation { continuation in
            let ready = monitor.update { state -> Result<Element?, any Error>? in
                if let ready = state.attempt() { return ready }
                precondition(state.waiter == nil, "only one task at a time can iterate over a reader")
                state.waiter = continuation
                return nil
            }
            if let ready { continuation.resume(with: ready) }
        }
    }
}
