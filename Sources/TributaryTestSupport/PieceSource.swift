import TributaryConcurrency
public import TributaryJSON

/// A source that delivers its bytes in given pieces, one for each `read`.
public struct PieceSource: ByteSource {
    /// The name for messages.
    public let name = "pieces"
    private let pieces: [[UInt8]]
    private let failure: JSONError?

    /// Delivers `pieces` one after the other, then ends or fails.
    public init(_ pieces: [[UInt8]], failure: JSONError? = nil) {
        self.pieces = pieces
        self.failure = failure
    }

    /// Delivers `bytes` in pieces of `size`.
    public init(_ bytes: [UInt8], every size: Int) {
        self.init(stride(from: 0, to: bytes.count, by: size).map { Array(bytes[$0..<min($0 + size, bytes.count)]) })
    }

    /// Delivers `bytes` in two pieces.
    public init(_ bytes: [UInt8], cutAt cut: Int) { self.init([Array(bytes[..<cut]), Array(bytes[cut...])]) }

    /// Starts with the first piece.
    public func open() throws -> any ByteStream { Stream(pieces, failure) }

    private final class Stream: ByteStream {
        private let state: Guarded<(pieces: ArraySlice<[UInt8]>, failure: JSONError?)>

        init(_ pieces: [[UInt8]], _ failure: JSONError?) {
            state = Guarded((pieces.filter { !$0.isEmpty }[...], failure))
        }

        func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
            try state.withLock { state in
                guard let first = state.pieces.popFirst() else {
                    if let failure = state.failure { throw failure }
                    return 0
                }
                let count = min(first.count, buffer.count)
                buffer.copyBytes(from: first[..<count])
                if count < first.count { state.pieces.insert(Array(first[count...]), at: state.pieces.startIndex) }
                return count
            }
        }
    }
}
