import TributaryConcurrency

/// Hashes of a source at many offsets.
///
/// Reading runs ahead of the checkpoints, so the offset at which a later reader resumes is not known yet.
final class DigestTrail: Sendable {
    private struct Mark {
        let source: Int
        let byte: Int
        let value: UInt64
    }

    private let marks = Guarded<[Mark]>([])
    /// The distance to the next mark after `count` bytes: short at first, so that most of a short source is covered.
    static func step(after count: Int) -> Int { min(max(count / 8, 64), 4096) }

    /// With more marks than this, every other one is dropped: the consumer is far behind, or never asks for a mark.
    private static let maxMarks = 1 << 16

    /// Adds the hash at an offset.
    func add(source: Int, byte: Int, _ digest: ByteDigest) {
        marks.withLock { marks in
            marks.append(Mark(source: source, byte: byte, value: digest.value))
            guard marks.count > DigestTrail.maxMarks else { return }
            // The newest mark stays.
            marks = marks.enumerated().filter { $0.offset % 2 == (marks.count - 1) % 2 }.map(\.element)
        }
    }

    /// The last mark at or before an offset of a source; earlier marks are dropped.
    func mark(source: Int, byte: Int) -> DigestMark? {
        marks.withLock { marks in
            var low = 0
            var high = marks.count
            while low < high {
                let middle = (low + high) / 2
                let isBefore = (marks[middle].source, marks[middle].byte) <= (source, byte)
                if isBefore { low = middle + 1 } else { high = middle }
            }
            guard low > 0 else { return nil }
            marks.removeFirst(low - 1)
            let mark = marks[0]
            guard mark.source == source else { return nil }
            return DigestMark(source: source, byte: mark.byte, hash: ByteDigest.text(mark.value))
        }
    }
}
