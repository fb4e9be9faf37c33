import TributaryConcurrency

/// The saves that a context has yet to merge.
///
/// The queue of a blocked context, such as that of a main thread waiting for an import, would accumulate the keys of
/// all rows that are written. Beyond a bound the saves are dropped, and the context reloads once instead.
final class SaveInbox: Sendable {
    private struct State {
        /// The saves in their order, of which the ones before `next` were delivered.
        var waiting: [SavedChanges?] = []
        var next = 0
        /// The number of waiting rows, plus an allowance for each save.
        var weight = 0
        /// The reload that replaces saves, if there were too many.
        var reload: SavedChanges?
    }

    private let state = Guarded(State())
    private static let bound = 1 << 20
    private static let saveWeight = 16

    /// Keeps a save until it is delivered; `send` schedules one delivery, in the order of the saves.
    func add(_ saved: SavedChanges, _ send: () -> Void = {}) {
        state.withLock { state in
            send()
            guard state.reload == nil else { return }
            state.waiting.append(saved)
            state.weight += SaveInbox.weight(of: saved)
            if state.weight > SaveInbox.bound { state = State(reload: SavedChanges(reloading: saved.stores)) }
        }
    }

    /// The next save to deliver; nil if a reload has replaced it.
    func next() -> SavedChanges? {
        state.withLock { state in
            if let reload = state.reload {
                state = State()
                return reload
            }
            guard state.next < state.waiting.count, let first = state.waiting[state.next] else { return nil }
            state.waiting[state.next] = nil
            state.next += 1
            state.weight -= SaveInbox.weight(of: first)
            if state.next * 2 > state.waiting.count {
                state.waiting.removeFirst(state.next)
                state.next = 0
            }
            return first
        }
    }

    private static func weight(of saved: SavedChanges) -> Int {
        [saved.insertedKeys, saved.updatedKeys, saved.deletedKeys].joined().reduce(saveWeight) { $0 + $1.keys.count }
    }
}
