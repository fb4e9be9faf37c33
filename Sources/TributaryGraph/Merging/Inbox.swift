import TributaryConcurrency

/// Elements that wait to be taken in their order, by a queue or by a loop.
///
/// A blocked queue, such as that of a main thread waiting for an import, would accumulate the keys of all rows that are
/// written. Beyond a bound the elements are dropped, and one takes their place that asks to read everything again.
final class Inbox<Element: Sendable>: Sendable {
    private struct State {
        /// The elements in their order, of which the ones before `next` were taken.
        var waiting: [(element: Element, weight: Int)?] = []
        var next = 0
        var weight = 0
        var hasEnded = false
    }

    private let bound: Int
    private let state = Guarded(State())
    private let signals: AsyncStream<Void>
    private let signal: AsyncStream<Void>.Continuation

    /// An inbox for elements of a total weight up to `bound`.
    init(bound: Int) {
        self.bound = bound
        (signals, signal) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    }

    /// Keeps an element until it is taken; beyond the bound `reload` replaces all.
    ///
    /// `send` may schedule a call of `next`, in the order of the elements.
    func add(_ element: Element, weight: Int, else reload: @autoclosure () -> Element, _ send: () -> Void = {}) {
        state.withLock { state in
            send()
            state.waiting.append((element, weight))
            state.weight += weight
            if state.weight > bound { (state.waiting, state.next, state.weight) = ([(reload(), 0)], 0, 0) }
        }
        signal.yield()
    }

    /// Ends the loop when it has taken all elements.
    func end() {
        state.withLock { $0.hasEnded = true }
        signal.yield()
    }

    /// Takes the next element; nil if there is none, also because another one has replaced it.
    func next() -> Element? {
        state.withLock { state in
            guard state.next < state.waiting.count, let first = state.waiting[state.next] else { return nil }
            state.waiting[state.next] = nil
            state.next += 1
            state.weight -= first.weight
            if state.next * 2 > state.waiting.count {
                state.waiting.removeFirst(state.next)
                state.next = 0
            }
            return first.element
        }
    }

    struct Loop {
        private let inbox: Inbox
        private var signals: AsyncStream<Void>.Iterator

        init(_ inbox: Inbox) {
            self.inbox = inbox
            signals = inbox.signals.makeAsyncIterator()
        }

        /// The next element; nil if the inbox has ended or the task is cancelled.
        mutating func next() async -> Element? {
            while true {
                let hasEnded = inbox.state.withLock { $0.hasEnded }
                if let element = inbox.next() { return element }
                guard !hasEnded, await signals.next() != nil else { return nil }
            }
        }
    }
}
