/// The saves into the stores of a manager, as an asynchronous sequence that never ends by itself.
public struct SaveSequence: AsyncSequence, Sendable {
    private let contexts: ContextRegistry

    init(_ contexts: ContextRegistry) { self.contexts = contexts }

    /// A sequence of the saves from now on.
    public func makeAsyncIterator() -> Iterator { Iterator(contexts) }

    /// One loop over the saves.
    public struct Iterator: AsyncIteratorProtocol {
        private let inbox = SaveInbox()
        private let observation: ContextObservation
        private var signals: AsyncStream<Void>.Iterator

        fileprivate init(_ contexts: ContextRegistry) {
            let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
            signals = stream.makeAsyncIterator()
            observation = contexts.addListener { [inbox] saved in
                inbox.add(saved)
                continuation.yield()
            }
        }

        /// The next save; nil if the task is cancelled.
        public mutating func next() async -> SavedChanges? {
            while true {
                if let saved = inbox.next() { return saved }
                guard await signals.next() != nil else { return nil }
            }
        }
    }
}
