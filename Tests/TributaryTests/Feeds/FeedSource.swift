import TributaryConcurrency
import TributaryJSON

/// Bytes that are read in small pieces, and a point at which reading fails or a closure is called.
struct FeedSource: ByteSource {
    /// The event that occurs when so many bytes have been read.
    enum Event: Sendable {
        case failure
        case call(@Sendable () -> Void)
    }

    let name: String
    let bytes: [UInt8]
    var piece = 1 << 20
    var event: (byte: Int, what: Event)?

    func open() throws -> any ByteStream { Stream(self) }

    private final class Stream: ByteStream {
        private let source: FeedSource
        private let state = Guarded((place: 0, isDone: false))

        init(_ source: FeedSource) { self.source = source }

        func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
            let (range, event) = state.withLock { state in
                var end = min(source.bytes.count, state.place + min(buffer.count, source.piece))
                var due: Event?
                if let event = source.event, !state.isDone, state.place <= event.byte {
                    if state.place == event.byte || end == state.place {
                        state.isDone = true
                        due = event.what
                    } else {
                        end = min(end, event.byte)
                    }
                }
                if case .failure? = due { end = state.place }
                defer { state.place = end }
                return (state.place..<end, due)
            }
            switch event {
            case .failure: throw JSONError(.sourceRead, "the cable was pulled")
            case .call(let body): body()
            case nil: break
            }
            buffer.copyBytes(from: source.bytes[range])
            return range.count
        }
    }
}
