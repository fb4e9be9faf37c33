/// Keys of records that are on their way: looked up already, and what is said of them not committed yet.
///
/// An open table of hashes, and for each the number of the chunk that it came with; what has landed is swept out when room
/// is needed. Two keys of one hash are taken for one, so hashes are kept whole.
///
/// `@unchecked Sendable`: the chunk that takes off has it alone.
final class KeysInFlight: @unchecked Sendable {
    @exclusivity(unchecked) private var hashes: UnsafeMutableBufferPointer<UInt64>
    /// For each place the chunk, 0 if nothing stands there; apart from the hashes, which takes a quarter less.
    @exclusivity(unchecked) private var chunks: UnsafeMutableBufferPointer<UInt32>
    @exclusivity(unchecked) private var count = 0
    /// What a key takes, half of the table being free.
    static let bytesOfKey = 24

    init() {
        hashes = .allocate(capacity: 1 << 10)
        chunks = .allocate(capacity: 1 << 10)
        hashes.initialize(repeating: 0)
        chunks.initialize(repeating: 0)
    }

    deinit {
        hashes.deallocate()
        chunks.deallocate()
    }

    /// Notes a key of a chunk, whose number is above 0; gives back the chunk with which it is on its way already, or 0.
    @inline(__always)
    func insert(_ hash: UInt64, of chunk: Int, landed: Int) -> Int {
        if (count + 1) * 8 > chunks.count * 7 { sweep(landed) }
        let place = find(hash)
        let earlier = Int(chunks[place])
        if earlier == 0 { count += 1 }
        hashes[place] = hash
        chunks[place] = UInt32(truncatingIfNeeded: chunk)
        return earlier > landed ? earlier : 0
    }

    @inline(__always)
    private func find(_ hash: UInt64) -> Int {
        var place = Int(truncatingIfNeeded: hash) & (chunks.count - 1)
        while chunks[place] != 0, hashes[place] != hash { place = (place + 1) & (chunks.count - 1) }
        return place
    }

    private func sweep(_ landed: Int) {
        let living = chunks.indices.filter { Int(chunks[$0]) > landed }.map { (hash: hashes[$0], chunk: chunks[$0]) }
        if living.count * 3 > chunks.count * 2 {
            let capacity = chunks.count * 2
            hashes.deallocate()
            chunks.deallocate()
            hashes = .allocate(capacity: capacity)
            chunks = .allocate(capacity: capacity)
            hashes.initialize(repeating: 0)
        }
        chunks.initialize(repeating: 0)
        for (hash, chunk) in living {
            let place = find(hash)
            hashes[place] = hash
            chunks[place] = chunk
        }
        count = living.count
    }
}
