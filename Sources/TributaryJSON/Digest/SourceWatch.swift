/// Hashes a source while it is read, and checks that it still begins as it did when an earlier reader stopped.
struct SourceWatch {
    private var digest = ByteDigest()
    private let source: Int
    private let start: Int
    private let trail: DigestTrail
    private var nextMark: Int
    /// Whether a later reader may seek, as in a plain file, and continue the digest.
    private let isPlain: Bool
    /// The hash that the source must have; nil once it is confirmed.
    private var expected: DigestMark?

    /// Starts at a byte of a source; `digest` is that of the bytes before it, if an earlier reader has hashed them.
    init(
        _ trail: DigestTrail, source: Int, after digest: ByteDigest = ByteDigest(), at byte: Int, isPlain: Bool,
        expected: DigestMark? = nil
    ) {
        self.trail = trail
        self.source = source
        self.digest = digest
        self.isPlain = isPlain
        self.expected = expected?.source == source ? expected : nil
        start = byte - digest.count
        nextMark = byte + DigestTrail.step(after: digest.count)
        trail.add(source: source, byte: byte, digest, isPlain: isPlain)
    }

    /// Hashes the next bytes, which must be those of the earlier reader.
    mutating func hash(_ bytes: UnsafeRawBufferPointer) throws {
        var rest = bytes
        var place = start + digest.count
        while !rest.isEmpty {
            let border = min(nextMark, expected.map { max($0.byte, place) } ?? .max)
            let count = min(rest.count, border - place)
            digest.update(UnsafeRawBufferPointer(rebasing: rest[..<(rest.startIndex + count)]))
            rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(count))
            place += count
            if let mark = expected, mark.byte <= place {
                guard mark.byte == place, mark.hash == digest.text else {
                    throw JSONError(
                        .sourceChanged,
                        "its first \(place) bytes are not those that were read before the checkpoint",
                        hint: SourceWatch.hint)
                }
                expected = nil
            }
            if place == nextMark {
                trail.add(source: source, byte: place, digest, isPlain: isPlain)
                nextMark += DigestTrail.step(after: digest.count)
            }
        }
    }

    func finish() {
        trail.add(source: source, byte: start + digest.count, digest, isPlain: isPlain, isEnd: true)
    }

    static let hint = "use the same source as before, or import it again from the start"
}
