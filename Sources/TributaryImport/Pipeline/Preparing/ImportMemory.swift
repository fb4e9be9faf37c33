/// The parts of the memory of an import.
package struct ImportMemory: Sendable {
    /// The chunks of the reader.
    let reading: Int
    /// The prepared chunks.
    package let feed: Int
    /// The rows of an unfinished group.
    package let group: Int
    /// The records that a load has held back and that are read again at a time, which take several times as much.
    let heldBack: Int
    /// The page cache of the writing connection, in KiB.
    let cacheKiB: Int
    /// The page caches of the connections that look rows up, all together, in KiB.
    let lookupCacheKiB: Int
    /// The filters of loads, all together.
    package let filter: Int
    /// What loads of nested objects know of these, all together.
    let known: Int
    /// The index entries of loads that are sorted in memory, all together.
    let sorting: Int

    /// The filter and the sorted entries of one of `count` loads.
    func ofLoad(among count: Int) -> (filter: Int, sorting: Int) { (filter / max(1, count), sorting / max(1, count)) }

    /// The parts of `bytes`; an import of nested objects neither looks up ahead nor collects groups, and has a larger page
    /// cache, which a load does not need.
    init(_ bytes: Int, isRelated: Bool = false) {
        let bytes = max(32 << 20, bytes)
        // The rest is for the process itself.
        let free = max(bytes / 2, bytes - (24 << 20))
        reading = min(6 << 20, free / 19)
        feed = free / 11
        group = free / 4
        heldBack = free / 64
        cacheKiB = free * 2 / (13 << 10) + (isRelated ? bytes * 5 / (32 << 10) : 0)
        // Keys are looked up in sorted order: each page is needed once, from the cache of the system.
        lookupCacheKiB = bytes / (32 << 10)
        filter = bytes / 8
        known = bytes / 6
        // A load has no unfinished group.
        sorting = group
    }
}
