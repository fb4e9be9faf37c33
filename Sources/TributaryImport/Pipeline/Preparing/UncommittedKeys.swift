import TributaryStore

/// The keys of records in admitted chunks that are not committed yet.
///
/// A hash table with open addressing, from the hash of a key to the number of its chunk; entries of committed chunks
/// are removed when the table is full. Two keys with one hash count as one key: that defers a record needlessly.
///
/// `@unchecked Sendable`: used only while the gate admits a chunk, which is one chunk at a time.
final class UncommittedKeys: @unchecked Sendable {
    @exclusivity(unchecked) private var hashes: UnsafeMutableBufferPointer<UInt64>
    /// For each slot the chunk, 0 if it is free; an array of its own takes a quarter less memory.
    @exclusivity(unchecked) private var chunks: UnsafeMutableBufferPointer<UInt32>
    @exclusivity(unchecked) private var count = 0
    /// The memory of a key in a table that is half full, in bytes.
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

    /// Inserts the keys of a chunk, whose number is above 0, when it is admitted; `filter` has the keys that a load has
    /// seen in all earlier chunks.
    ///
    /// Returns which records are deferred, because an earlier chunk has their key, and whether any key comes twice.
    func admit(
        _ hashes: some RandomAccessCollection<UInt64?>, of chunk: Int, committed: Int, filter: KeyFilter? = nil
    ) -> (isDeferred: [Bool], repeatsKeys: Bool) {
        var deferred: Set<UInt64> = []
        var repeatsKeys = false
        let hashes = Array(hashes)
        let flags = hashes.indices.map { index in
            if let filter, let next = hashes[min(index + KeyFilter.distance, hashes.count - 1)] {
                filter.prefetch(next)
            }
            // A record without a key is rejected.
            guard let hash = hashes[index] else { return false }
            let earlier = insert(hash, of: chunk, committed: filter == nil ? committed : chunk - 1)
            if earlier == chunk {
                repeatsKeys = true
                return !deferred.isEmpty && deferred.contains(hash)
            }
            let isDeferred = filter?.insert(hash) ?? (earlier > 0)
            if isDeferred { deferred.insert(hash) }
            return isDeferred
        }
        return (flags, repeatsKeys)
    }

    /// Inserts a key of a chunk; returns the earlier uncommitted chunk with this key, or 0.
    @inline(__always)
    private func insert(_ hash: UInt64, of chunk: Int, committed: Int) -> Int {
        if (count + 1) * 8 > chunks.count * 7 { removeCommitted(through: committed) }
        let slot = slot(of: hash)
        let earlier = Int(chunks[slot])
        if earlier == 0 { count += 1 }
        hashes[slot] = hash
        chunks[slot] = UInt32(truncatingIfNeeded: chunk)
        return earlier > committed ? earlier : 0
    }

    @inline(__always)
    private func slot(of hash: UInt64) -> Int {
        var slot = Int(truncatingIfNeeded: hash) & (chunks.count - 1)
        while chunks[slot] != 0, hashes[slot] != hash { slot = (slot + 1) & (chunks.count - 1) }
        return slot
    }

    private func removeCommitted(through committed: Int) {
        let kept = chunks.indices.filter { Int(chunks[$0]) > committed }.map { (hash: hashes[$0], chunk: chunks[$0]) }
        if kept.count * 3 > chunks.count * 2 {
            let capacity = chunks.count * 2
            hashes.deallocate()
            chunks.deallocate()
            hashes = .allocate(capacity: capacity)
            chunks = .allocate(capacity: capacity)
            hashes.initialize(repeating: 0)
        }
        chunks.initialize(repeating: 0)
        for (hash, chunk) in kept {
            let slot = slot(of: hash)
            hashes[slot] = hash
            chunks[slot] = chunk
        }
        count = kept.count
    }
}
