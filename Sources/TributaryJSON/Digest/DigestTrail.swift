import TributaryConcurrency

/// Hashes of a source at many offsets.
///
/// Reading runs ahead of the checkpoints, so the offset at which a later reader resumes is not known yet.
final class DigestTrail: Sendable {
    private struct Mark {
        let source: Int
        let byte: Int
        let digest: ByteDigest
        let isPlain: Bool

        var published: DigestMark {
            DigestMark(source: source, byte: byte, hash: digest.text, digest: isPlain ? digest : nil)
        }
    }

    private struct State {
        var marks: [Mark] = []
        /// The mark at the end of each source that was read to its end.
        var ends: [Int: Mark] = [:]
    }

    private let state = Guarded(State())
    /// The distance to the next mark after `count` bytes: short at first, so that most of a short source is covered.
    static func step(after count: Int) -> Int { min(max(count / 8, 64), 4096) }

    /// With more marks than this, every other one is dropped: the consumer is far behind, or never asks for a mark.
    private static let maxMarks = 1 << 16

    /// Adds the hash at an offset, which may be the end of a source.
    func add(source: Int, byte: Int, _ digest: ByteDigest, isPlain: Bool, isEnd: Bool = false) {
        state.withLock { state in
            let mark = Mark(source: source, byte: byte, digest: digest, isPlain: isPlain)
            if isEnd { state.ends[source] = mark }
            if let last = state.marks.last, (last.source, last.byte) == (source, byte) { return }
            state.marks.append(mark)
            guard state.marks.count > DigestTrail.maxMarks else { return }
            // The newest mark stays.
            let parity = (state.marks.count - 1) % 2
            state.marks = state.marks.enumerated().filter { $0.offset % 2 == parity }.map(\.element)
        }
    }

    /// The last mark at or before an offset of a source; earlier marks are dropped.
    func mark(source: Int, byte: Int) -> DigestMark? {
        state.withLock { state in
            var low = 0
            var high = state.marks.count
            while low < high {
                let middle = (low + high) / 2
                let isBefore = (state.marks[middle].source, state.marks[middle].byte) <= (source, byte)
                if isBefore { low = middle + 1 } else { high = middle }
            }
            guard low > 0 else { return nil }
            state.marks.removeFirst(low - 1)
            let mark = state.marks[0]
            return mark.source == source ? mark.published : nil
        }
    }

    /// The hash of a whole source; nil if it was not read to its end.
    func end(of source: Int) -> DigestMark? { state.withLock { $0.ends[source]?.published } }
}
