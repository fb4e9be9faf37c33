/// Whether the values at a path identify their objects.
public struct KeyProof: Sendable, Hashable, Codable {
    /// The number of values.
    public let count: Int
    /// The number of values that have occurred before.
    public let repeats: Int

    /// Whether all values are different.
    public var isUnique: Bool { repeats == 0 }

    /// Compares the hashes of all threads; each stream comes with its store.
    static func prove(_ streams: [(KeyStream, KeyStreamStore)]) throws -> KeyProof {
        let count = streams.reduce(0) { $0 + $1.0.count }
        for (stream, _) in streams { stream.finish() }
        for (_, store) in streams { if let failure = store.failure { throw failure } }
        let kept = streams.reduce(0) { $0 + $1.0.parts.reduce(0) { $0 + $1.count } }
        let repeats = try (0..<256).reduce(count - kept) { sum, bucket in
            let slices = try streams.flatMap { stream, store in
                try stream.parts.map { try $0.hashes(bucket, store.file) }
            }
            return sum + HashSet.repeats(in: slices)
        }
        return KeyProof(count: count, repeats: repeats)
    }
}
