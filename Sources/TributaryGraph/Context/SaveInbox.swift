import TributaryConcurrency

/// The saves that a context has yet to merge.
///
/// The queue of a context that is blocked, such as that of a main thread waiting for an import, would pile up the keys of all
/// rows that are written. Beyond a bound the saves are dropped, and the context reloads once instead.
final class SaveInbox: Sendable {
    /// What a context does next.
    enum Delivery {
        case merge(SavedChanges)
        /// More rows were saved than are kept.
        case reload
    }

    private struct State {
        /// Saves in their order; those before `next` have been delivered.
        var waiting: [SavedChanges?] = []
        var next = 0
        /// The number of rows that wait, with an allowance for each save.
        var weight = 0
        var needsReload = false
    }

    private let state = Guarded(State())
    private static let bound = 1 << 20
    private static let saveWeight = 16

    /// Keeps a save until it is delivered; `send` schedules one delivery, in the order of the saves.
    func add(_ saved: SavedChanges, _ send: () -> Void) {
        state.withLock { state in
            send()
            guard !state.needsReload else { return }
            state.waiting.append(saved)
            state.weight += SaveInbox.weight(of: saved)
            if state.weight > SaveInbox.bound { state = State(needsReload: true) }
        }
    }

    /// The next delivery; nil if a reload has covered it.
    func next() -> Delivery? {
        state.withLock { state in
            if state.needsReload {
                state = State()
                return .reload
            }
            guard state.next < state.waiting.count, let first = state.waiting[state.next] else { return nil }
            state.waiting[state.next] = nil
            state.next += 1
            state.weight -= SaveInbox.weight(of: first)
            if state.next * 2 > state.waiting.count {
                state.waiting.removeFirst(state.next)
                state.next = 0
            }
            return .merge(first)
        }
    }

    private static func weight(of saved: SavedChanges) -> Int {
        [saved.insertedKeys, saved.updatedKeys, saved.deletedKeys].joined().reduce(saveWeight) { $0 + $1.keys.count }
    }
}
