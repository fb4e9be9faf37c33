/// How the memory of an import is shared out.
struct ImportMemory: Sendable {
    /// Chunks of the reader.
    let reading: Int
    /// Chunks that are prepared.
    let feed: Int
    /// Rows that wait for the end of their group.
    let group: Int
    /// Pages of the database, in KiB.
    let cacheKiB: Int
    /// The same for the connections that look rows up, all together.
    let lookupCacheKiB: Int
    /// The keys that a first load has seen.
    let filter: Int

    init(_ bytes: Int) {
        let bytes = max(32 << 20, bytes)
        // The process itself takes the rest.
        let free = max(bytes / 2, bytes - (24 << 20))
        reading = min(6 << 20, free / 19)
        feed = free / 11
        group = free / 4
        cacheKiB = free * 2 / (13 << 10)
        // Keys are looked up in their order: a page is needed once, and the system has it at hand.
        lookupCacheKiB = bytes / (32 << 10)
        filter = bytes / 8
    }
}
