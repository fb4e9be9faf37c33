/// The saves into the stores of a manager, as an asynchronous sequence that never ends by itself.
public struct SaveSequence: AsyncSequence, Sendable {
    private let contexts: ContextRegistry

    init(_ contexts: ContextRegistry) { self.contexts = contexts }

    /// A sequence of the saves from now on.
    public func makeAsyncIterator() -> Iterator { Iterator(contexts) }

    /// One loop over the saves.
    public struct Iterator: AsyncIteratorProtocol {
        private let observation: ContextObservation
        private var loop: Inbox<SavedChanges>.Loop

        fileprivate init(_ contexts: ContextRegistry) {
            let inbox = Inbox<SavedChanges>(bound: SavedChanges.bound)
            loop = Inbox.Loop(inbox)
            observation = contexts.addListener { $0.add(to: inbox) }
        }

        /// The next save; nil if the task is cancelled.
        public mutating func next() async -> SavedChanges? { await loop.next() }
    }
}
