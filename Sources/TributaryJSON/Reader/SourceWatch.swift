/// Hashes a source as it is read, and sees whether it begins as it did when reading stopped.
struct SourceWatch {
    private var digest = ByteDigest()
    private let source: Int
    private let start: Int
    private let trail: DigestTrail
    private var nextMark: Int
    private var isMarked = true
    /// What is to be met, until it has been.
    private var expected: DigestMark?

    /// Begins at byte `start` of a source.
    init(_ trail: DigestTrail, source: Int, start: Int, expected: DigestMark?) {
        self.trail = trail
        self.source = source
        self.start = start
        self.expected = expected?.source == source ? expected : nil
        nextMark = start + DigestTrail.step(behind: 0)
    }

    /// Takes the next bytes.
    ///
    /// - Throws: `JSONError` with the code `source.changed` when they are other ones than before.
    mutating func take(_ bytes: UnsafeRawBufferPointer) throws {
        var rest = bytes
        var place = start + digest.count
        while !rest.isEmpty {
            let border = min(nextMark, expected.map { max($0.byte, place) } ?? .max)
            let count = min(rest.count, border - place)
            isMarked = false
            digest.update(UnsafeRawBufferPointer(rebasing: rest[..<(rest.startIndex + count)]))
            rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(count))
            place += count
            if let mark = expected, mark.byte <= place {
                guard mark.byte == place, mark.hash == digest.text else { throw SourceWatch.changed(place) }
                expected = nil
            }
            if place == nextMark {
                trail.add(source: source, byte: place, digest)
                isMarked = true
                nextMark += DigestTrail.step(behind: digest.count)
            }
        }
    }

    /// The source has ended.
    mutating func finish() {
        if !isMarked { trail.add(source: source, byte: start + digest.count, digest) }
    }

    private static func changed(_ byte: Int) -> JSONError {
        JSONError(
            .sourceChanged, "its first \(byte) bytes are not those that were read before the import stopped",
            hint: "feed the same source again, or begin anew with --restart")
    }
}
