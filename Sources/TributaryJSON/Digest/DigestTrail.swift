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
        /// The marks of each source, in the order of their offsets.
        var marks: [Int: [Mark]] = [:]
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
        let mark = Mark(source: source, byte: byte, digest: digest, isPlain: isPlain)
        state.withLock { state in
            if isEnd { state.ends[source] = mark }
            DigestTrail.add(mark, to: &state.marks[source, default: []])
        }
    }

    private static func add(_ mark: Mark, to marks: inout [Mark]) {
        if let last = marks.last, last.byte == mark.byte { return }
        marks.append(mark)
        guard marks.count > maxMarks else { return }
        // The newest mark stays.
        let parity = (marks.count - 1) % 2
        marks = marks.enumerated().filter { $0.offset % 2 == parity }.map(\.element)
    }

    /// The last mark at or before an offset of a source; earlier marks are dropped.
    func mark(source: Int, byte: Int) -> DigestMark? {
        state.withLock { state in
            for earlier in state.marks.keys where earlier < source { state.marks[earlier] = nil }
            return DigestTrail.mark(at: byte, in: &state.marks[source, default: []])
        }
    }

    private static func mark(at byte: Int, in marks: inout [Mark]) -> DigestMark? {
        var (low, high) = (0, marks.count)
        while low < high {
            let middle = (low + high) / 2
            if marks[middle].byte <= byte { low = middle + 1 } else { high = middle }
        }
        guard low > 0 else { return nil }
        marks.removeFirst(low - 1)
        return marks[0].published
    }

    /// The hash of a whole source; nil if it was not read to its end.
    func end(of source: Int) -> DigestMark? { state.withLock { $0.ends[source]?.published } }
}
