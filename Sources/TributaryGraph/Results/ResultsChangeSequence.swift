/// The changes of a ``FetchedResultsController``, as an asynchronous sequence for one loop.
///
///     for await change in controller.changes { … }
///
/// It ends when the controller is released. A loop that falls behind by ``bound`` changed objects gets one reload in
/// their place. The loop runs later than the controller: after a reload, ignore changes whose `revision` is not greater
/// than that of the controller when its results were read.
public struct ResultsChangeSequence: AsyncSequence, Sendable {
    /// The number of changed objects that may wait for the loop.
    public static let bound = 10_000

    let inbox: Inbox<ResultsChange>

    /// The loop over the changes.
    public func makeAsyncIterator() -> Iterator { Iterator(inbox) }

    /// The loop over the changes.
    public struct Iterator: AsyncIteratorProtocol {
        private var loop: Inbox<ResultsChange>.Loop

        fileprivate init(_ inbox: Inbox<ResultsChange>) { loop = Inbox.Loop(inbox) }

        /// The next change; nil if the controller was released or the task is cancelled.
        public mutating func next() async -> ResultsChange? { await loop.next() }
    }
}
