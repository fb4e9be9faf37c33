/// The hashes of all values at a path that may identify objects, to find out whether one of them repeats.
///
/// Different hashes prove that all values differ. What exceeds the memory of its store is in a file.
final class KeyStream {
    /// Hashes in the order of their highest byte, with the place in them at which each such byte begins.
    struct Part {
        enum Place {
            case memory([UInt64])
            case file(offset: Int)
        }

        var place: Place
        let starts: [Int32]
        var count: Int { Int(starts[256]) }
    }

    private let store: KeyStreamStore
    @exclusivity(unchecked) private var pending: [UInt64] = []
    @exclusivity(unchecked) private(set) var parts: [Part] = []
    /// Whether the hashes could not be written.
    @exclusivity(unchecked) private(set) var isDropped = false
    /// The number of hashes.
    @exclusivity(unchecked) private(set) var count = 0
    init(_ store: KeyStreamStore) {
        self.store = store
        store.streamCount += 1
    }

    deinit {
        store.remove(self, bytes: parts.reduce(0) { $0 + $1.memory })
        store.streamCount -= 1
    }

    /// Adds the hash of a value.
    @inline(__always)
    func add(_ hash: UInt64) {
        guard !isDropped else { return }
        pending.append(hash)
        count += 1
        if pending.count >= store.partSize { endPart() }
    }

    private func endPart() {
        guard !pending.isEmpty else { return }
        let part = KeyStream.part(pending)
        pending.removeAll(keepingCapacity: true)
        parts.append(part)
        store.add(self, bytes: part.memory)
    }

    /// Forgets all hashes, since they could not be written.
    func drop() {
        isDropped = true
        store.remove(self, bytes: parts.reduce(0) { $0 + $1.memory })
        (pending, parts) = ([], [])
    }

    /// Sorts hashes by their highest byte, and keeps each once.
    private static func part(_ hashes: [UInt64]) -> Part {
        var starts = [Int32](repeating: 0, count: 257)
        for hash in hashes { starts[Int(hash >> 56) + 1] += 1 }
        for index in 1...256 { starts[index] += starts[index - 1] }
        var next = starts
        var sorted = [UInt64](unsafeUninitializedCapacity: hashes.count) { sorted, count in
            for hash in hashes {
                let bucket = Int(hash >> 56)
                sorted[Int(next[bucket])] = hash
                next[bucket] += 1
            }
            count = hashes.count
        }
        var kept = 0
        var ends = [Int32](repeating: 0, count: 257)
        for bucket in 0..<256 {
            kept = HashSet.removeRepeats(&sorted, Int(starts[bucket])..<Int(starts[bucket + 1]), to: kept)
            ends[bucket + 1] = Int32(kept)
        }
        sorted.removeSubrange(kept...)
        return Part(place: .memory(sorted), starts: ends)
    }

    /// Writes the parts that are in memory to a file.
    func moveToFile(_ file: KeyStreamFile) throws {
        for index in parts.indices {
            guard case .memory(let hashes) = parts[index].place else { continue }
            parts[index].place = .file(offset: try file.append(hashes))
        }
    }

    /// Adds the hashes of another stream with the same store.
    func merge(_ other: KeyStream) {
        endPart()
        other.endPart()
        parts += other.parts
        count += other.count
        other.parts = []
        store.move(from: other, to: self)
    }

    /// Ends the last part, so that `parts` has all hashes.
    func finish() { endPart() }
}

extension KeyStream.Part {
    /// The bytes that it takes in memory.
    var memory: Int { if case .memory(let hashes) = place { hashes.count * 8 } else { 0 } }

    /// The hashes with a highest byte.
    func hashes(_ bucket: Int, _ file: KeyStreamFile?) throws -> ArraySlice<UInt64> {
        let range = Int(starts[bucket])..<Int(starts[bucket + 1])
        switch place {
        case .memory(let hashes): return hashes[range]
        case .file(let offset): return try file?.read(range, from: offset)[...] ?? []
        }
    }
}
