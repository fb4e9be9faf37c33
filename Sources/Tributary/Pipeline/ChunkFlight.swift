import TributaryConcurrency

/// Keeps chunks apart that are looked up at the same time, ahead of the thread that writes.
///
///     operations   claim ▶ look up ▶ compare       chunk 7, 8, 9: on their way
///     writer       write 4, 5, 6 ▶ commit ▶ land    from now on their keys can be looked up
///
/// What a lookup finds stays true until the chunk is written: nobody else may write meanwhile, and a record whose key is on
/// its way already is left to the thread that writes. Where somebody else wants to write, no chunk takes off any more, and
/// those on their way are written first.
final class ChunkFlight: Sendable {
    private struct State {
        let keys = KeysInFlight()
        /// The number of the chunk that claimed its keys last; they count from 1.
        var claimed = 0
        /// That of the last chunk that is committed.
        var landed = 0
        var isOpen = false
        var isCancelled = false
    }

    private let monitor = Monitor(State())

    /// Notes the keys of a chunk, when it is its turn; gives back for each whether it is on its way already.
    ///
    /// - Parameters:
    ///   - hashes: The keys of each part of the chunk; nil for a part that is not looked up.
    ///   - chunk: Its number: each comes once, and in turn.
    /// - Returns: Nil if the import ends.
    func claim(_ hashes: [[UInt64]?], of chunk: Int) -> [[Bool]?]? {
        monitor.wait { state -> [[Bool]?]?? in
            if state.isCancelled { return .some(nil) }
            guard state.claimed == chunk - 1, state.isOpen else { return nil }
            state.claimed = chunk
            let landed = state.landed
            var places: [[Bool]?] = []
            for hashes in hashes {
                var late: [Bool]?
                if let hashes {
                    late = []
                    late?.reserveCapacity(hashes.count)
                    for hash in hashes { late?.append(state.keys.insert(hash, of: chunk, landed: landed)) }
                }
                places.append(late)
            }
            return .some(places)
        }
    }

    /// Says that the writer's place is taken: chunks may take off.
    func open() { monitor.update { $0.isOpen = true } }

    /// Says that no further chunk may take off; gives back the number of the last one that has.
    func close() -> Int {
        monitor.update { state in
            state.isOpen = false
            return state.claimed
        }
    }

    /// Says that all chunks up to a number are committed.
    func land(_ chunk: Int) { monitor.update { $0.landed = chunk } }

    /// Lets nobody wait any more.
    func cancel() { monitor.update { $0.isCancelled = true } }
}
