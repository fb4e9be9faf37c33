import TributaryConcurrency

/// The changes of a ``FetchedResultsController``, as an asynchronous sequence for one loop.
///
///     for await change in controller.changes { … }
///
/// It ends when the controller is released. A loop that falls behind by ``bound`` changed objects gets one reload in
/// their place. The loop runs later than the controller: after a reload, ignore changes whose `revision` is not greater
/// than that of the controller when its results were read.
public struct ResultsChangeSequence: AsyncSequence, Sendable {
    /// The number of changed objects that wait for the loop.
    public static let bound = 10_000

    let inbox: Inbox

    /// The changes that the loop has not taken yet.
    final class Inbox: Sendable {
        private struct State {
            var waiting: [ResultsChange] = []
            var weight = 0
            var hasEnded = false
        }

        private let state = Guarded(State())
        let signals: AsyncStream<Void>
        private let signal: AsyncStream<Void>.Continuation

        init() {
            (signals, signal) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        }

        func add(_ change: ResultsChange) {
            state.withLock { state in
                state.weight += 1 + change.objects.count
                if state.weight > ResultsChangeSequence.bound || change.isReload {
                    (state.waiting, state.weight) = ([.reload(change.revision)], 0)
                } else {
                    state.waiting.append(change)
                }
            }
            signal.yield()
        }

        func end() {
            state.withLock { $0.hasEnded = true }
            signal.yield()
        }

        /// The changes that wait, and whether there will be no others.
        func take() -> (changes: [ResultsChange], hasEnded: Bool) {
            state.withLock { state in
                defer { (state.waiting, state.weight) = ([], 0) }
                return (state.waiting, state.hasEnded)
            }
        }
    }

    /// The loop over the changes.
    public func makeAsyncIterator() -> Iterator { Iterator(inbox) }

    /// The loop over the changes.
    public struct Iterator: AsyncIteratorProtocol {
        private let inbox: Inbox
        private var signals: AsyncStream<Void>.Iterator
        private var taken: ArraySlice<ResultsChange> = []

        fileprivate init(_ inbox: Inbox) {
            self.inbox = inbox
            signals = inbox.signals.makeAsyncIterator()
        }

        /// The next change; nil if the controller was released or the task is cancelled.
        public mutating func next() async -> ResultsChange? {
            while true {
                if let change = taken.popFirst() { return change }
                let (changes, hasEnded) = inbox.take()
                taken = changes[...]
                if !taken.isEmpty { continue }
                if hasEnded { return nil }
                guard await signals.next() != nil else { return nil }
            }
        }
    }
}
