/// A first-in, first-out queue between two threads that holds a bounded weight.
///
/// The producer sleeps while the queue is full, so a slow consumer slows the reading down instead of filling the
/// memory. Threads may wait for elements (`pop`), or one task (`next`).
package final class BoundedQueue<Element: Sendable>: Sendable {
    private struct State {
        /// Taken ones stay as nil at the front until half of the array is such.
        var elements: [(element: Element, weight: Int)?] = []
        var taken = 0
        var weight = 0
        var isFinished = false
        var isCancelled = false
        var failure: (any Error)?
        var waiter: CheckedContinuation<Element?, any Error>?

        mutating func takeFirst() -> Element? {
            guard taken < elements.count, let first = elements[taken] else { return nil }
            elements[taken] = nil
            taken += 1
            if taken * 2 > elements.count {
                elements.removeFirst(taken)
                taken = 0
            }
            weight -= first.weight
            return first.element
        }

        /// What a consumer sees when no element is left, or nil if there may be one later.
        var ending: Result<Element?, any Error>? {
            if isCancelled { return .failure(CancellationError()) }
            guard isFinished else { return nil }
            return failure.map { .failure($0) } ?? .success(nil)
        }

        mutating func attempt() -> Result<Element?, any Error>? {
            if isCancelled { return ending }
            if let element = takeFirst() { return .success(element) }
            return ending
        }
    }

    private let capacity: Int
    private let monitor: Monitor<State>

    /// Makes a queue that accepts elements while their weights sum up to less than `capacity`.
    package init(capacity: Int) {
        self.capacity = capacity
        monitor = Monitor(State())
    }

    /// Adds an element, waiting for room.
    ///
    /// - Returns: false when the consumer has gone and the producer should stop.
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

    /// Ends the queue; what is in it can still be taken, then `failure` is thrown.
    package func finish(throwing failure: (any Error)? = nil) {
        end { state in
            guard !state.isFinished else { return }
            state.isFinished = true
            state.failure = failure
        }
    }

    /// Ends the queue at once and drops what is in it.
    package func cancel() {
        end { state in
            state.isCancelled = true
            state.elements.removeAll()
            state.taken = 0
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

    /// Takes the next element, sleeping until there is one; nil at the end.
    package func pop() throws -> Element? {
        try monitor.wait { $0.attempt() }.get()
    }

    /// Takes the next element if one comes within the time; `.none` on a time-out.
    package func pop(milliseconds: Int) throws -> Element?? {
        guard let result = monitor.wait(milliseconds: milliseconds, until: { $0.attempt() }) else { return .none }
        return .some(try result.get())
    }

    /// Waits until there is an element; false if the queue has ended without one.
    package func waitForElement() -> Bool {
        monitor.wait { state in
            if state.isCancelled { return false }
            if state.taken < state.elements.count { return true }
            return state.isFinished ? false : nil
        }
    }

    /// Takes the next element, suspending until there is one or the queue is cancelled; nil at the end.
    package func next() async throws -> Element? {
        try await withCheckedThrowingContinuation { continuation in
            let ready = monitor.update { state -> Result<Element?, any Error>? in
                if let ready = state.attempt() { return ready }
                precondition(state.waiter == nil, "one task at a time takes from a reader")
                state.waiter = continuation
                return nil
            }
            if let ready { continuation.resume(with: ready) }
        }
    }
}
