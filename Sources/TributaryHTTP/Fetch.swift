import TributaryConcurrency

/// Receives a source from an offset on, on a thread of its own, into a bounded queue.
final class Fetch: Sendable {
    private struct State {
        var head: Result<AnswerHead, any Error>?
        var isCancelled = false
    }

    private let request: FetchRequest
    private let queue: BoundedQueue<[UInt8]>
    private let state = Monitor(State())

    /// Starts to receive; `first` is the first answer of the source, if there was one.
    init(_ request: FetchRequest, from offset: Int, after first: AnswerHead?) throws {
        self.request = request
        queue = BoundedQueue(capacity: request.settings.bufferBytes)
        try WorkerThread.start(named: "http") { [self] in
            FetchRun(request, from: offset, after: first, into: self).run()
        }
    }

    // MARK: On the reading thread

    /// The first answer.
    func waitForHead() throws -> AnswerHead {
        while true {
            if let head = state.wait(milliseconds: 100, until: { $0.head }) { return try head.get() }
            if request.settings.isStopped() {
                cancel()
                throw CancellationError()
            }
        }
    }

    /// The next bytes; nil at the end.
    func next() throws -> [UInt8]? { try queue.pop() }

    // MARK: On the receiving thread

    var isCancelled: Bool { state.read { $0.isCancelled } }

    func begin(_ head: AnswerHead) { state.update { if $0.head == nil { $0.head = .success(head) } } }

    /// Adds bytes once there is room; false if nothing more is wanted.
    func add(_ bytes: UnsafeRawBufferPointer) -> Bool { queue.push(Array(bytes), weight: bytes.count) }

    func finish(throwing error: (any Error)? = nil) {
        if let error { state.update { if $0.head == nil { $0.head = .failure(error) } } }
        queue.finish(throwing: error)
    }

    /// Waits; false if nothing more is wanted.
    func pause(seconds: Double) -> Bool {
        state.wait(milliseconds: Int(seconds * 1000)) { $0.isCancelled ? true : nil } == nil
    }

    // MARK: On any thread

    func cancel() {
        state.update { state in
            state.isCancelled = true
            if state.head == nil { state.head = .failure(CancellationError()) }
        }
        queue.cancel()
    }
}
