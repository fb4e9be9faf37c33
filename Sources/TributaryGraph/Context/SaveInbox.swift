import TributaryConcurrency

/// What a context has yet to hear of the saves of others.
///
/// The queue of a context that nobody serves, as that of a main thread that waits for an import, would pile up the numbers
/// of all rows that are written. Beyond a bound saves are joined: then a row takes a bit, or little more.
final class SaveInbox: Sendable {
    private struct State {
        /// Saves in their order; those before `next` have been told of.
        var waiting: [SavedChanges?] = []
        var next = 0
        /// How much waits.
        var weight = 0
        /// What waits, once it is too much to be kept apart.
        var joined: JoinedChanges?
    }

    private let state = Guarded(State())
    /// From how many rows on.
    private static let most = 1 << 20
    /// What a save weighs besides its rows.
    private static let saveWeight = 16

    /// Keeps a save for `deliver`, which is to be called once for each: `send` sees to that, in the order of the saves.
    func add(_ saved: SavedChanges, _ send: () -> Void) {
        state.withLock { state in
            send()
            guard state.joined == nil else {
                state.joined?.add(saved)
                return
            }
            state.waiting.append(saved)
            state.weight += SaveInbox.weight(of: saved)
            guard state.weight > SaveInbox.most else { return }
            var joined = JoinedChanges(saved.stores)
            for save in state.waiting[state.next...] { if let save { joined.add(save) } }
            state = State(joined: joined)
        }
    }

    /// Calls `body` with the save that has waited longest, or with all that was joined.
    func deliver(_ body: (SavedChanges) -> Void) {
        let (first, joined) = state.withLock { state -> (SavedChanges?, JoinedChanges?) in
            if let joined = state.joined {
                state = State()
                return (nil, joined)
            }
            guard state.next < state.waiting.count, let first = state.waiting[state.next] else { return (nil, nil) }
            state.waiting[state.next] = nil
            state.next += 1
            state.weight -= SaveInbox.weight(of: first)
            if state.next * 2 > state.waiting.count {
                state.waiting.removeFirst(state.next)
                state.next = 0
            }
            return (first, nil)
        }
        if let first { body(first) }
        joined?.forEachPart(body)
    }

    private static func weight(of saved: SavedChanges) -> Int {
        [saved.insertedKeys, saved.updatedKeys, saved.deletedKeys].joined().reduce(saveWeight) { $0 + $1.keys.count }
    }
}
