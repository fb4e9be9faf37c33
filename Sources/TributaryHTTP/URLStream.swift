import TributaryConcurrency
import TributaryJSON

/// The bytes of a file on a server.
///
/// `@unchecked Sendable`: only the reading thread calls the methods, except for `cancel`, which uses `state`.
final class URLStream: ByteStream, @unchecked Sendable {
    private struct State {
        var fetch: Fetch?
        var isCancelled = false
    }

    /// The first answer of the source.
    let first: AnswerHead
    private let request: FetchRequest
    private let state: Guarded<State>
    /// Bytes that were received together, and how many of them are read.
    private var chunk: [UInt8] = []
    private var readCount = 0

    init(_ fetch: Fetch, _ request: FetchRequest, first: AnswerHead) {
        (self.request, self.first) = (request, first)
        state = Guarded(State(fetch: fetch))
    }

    deinit { cancel() }

    var isReady: Bool { readCount < chunk.count }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        if readCount == chunk.count {
            guard let fetch = state.withLock({ $0.isCancelled ? nil : $0.fetch }) else { return 0 }
            do {
                guard let next = try fetch.next() else { return 0 }
                (chunk, readCount) = (next, 0)
            } catch is CancellationError {
                return 0
            }
        }
        let count = min(buffer.count, chunk.count - readCount)
        chunk.withUnsafeBytes { bytes in
            buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[readCount..<readCount + count]))
        }
        readCount += count
        return count
    }

    func seek(to offset: Int) throws -> Bool {
        // Without a version the server could send the rest of another file.
        guard first.version != nil, offset <= first.length ?? .max else { return false }
        let fetch = offset == first.length ? nil : try Fetch(request, from: offset, after: first)
        let (old, isCancelled) = state.withLock { state in
            defer { state.fetch = fetch }
            return (state.fetch, state.isCancelled)
        }
        old?.cancel()
        if isCancelled { fetch?.cancel() }
        (chunk, readCount) = ([], 0)
        return true
    }

    func cancel() {
        let fetch = state.withLock { state in
            state.isCancelled = true
            return state.fetch
        }
        fetch?.cancel()
    }
}
