import TributaryConcurrency

/// Keeps chunks apart that are looked up at the same time, ahead of the thread that writes.
///
///     threads      take off ▶ look up ▶ compare      chunk 7, 8, 9: on their way
///     writer       write 4, 5, 6 ▶ commit ▶ land     from now on their keys can be looked up
///
/// What a lookup finds stays true until the chunk is written: nobody else in this process may write meanwhile, and a record
/// whose key is on its way already is left to the thread that writes. Where somebody else wants to write, no chunk takes off
/// any more, and those on their way are written first.
final class ChunkFlight: Sendable {
    private struct State {
        /// The number of the chunk that has taken off last; they count from 1.
        var started = 0
        /// The same, or the next one while it is at it.
        var starting = 0
        /// That of the last chunk that is committed.
        var landed = 0
        /// That of the last chunk of which it is known, as of all before, whether it reaches further than its records.
        var settled = 0
        /// Whether one of these does, or has done so when it was written.
        var reachesFurther = false
        /// That of the last of these with records that are left to the thread that writes.
        var withLate = 0
        /// Those that wait for others before them.
        var unsettled: [Int: Report] = [:]
        var isOpen = false
        var isCancelled = false
    }

    /// What is found out about a chunk once all before are settled.
    enum Standing {
        /// What was found holds.
        case sound
        /// It holds unless `reachFurther` is called before it is written: closures before are still to be called.
        case doubtful
        /// It may not hold.
        case stale
    }

    /// What is said of a chunk that is settled.
    struct Report {
        /// Whether it may change more than the objects of its records.
        let reachesFurther: Bool
        /// Whether closures are left to the thread that writes, for records whose keys are on their way.
        let hasLate: Bool
        /// Gets how the chunk stands; it may be called on another thread.
        let body: @Sendable (Standing) -> Void
    }

    private let monitor = Monitor(State())

    /// Lets a chunk take off when it is its turn: `body` notes its keys, and gets the number of the last chunk that has
    /// landed.
    ///
    /// - Throws: `CancellationError` if the import ends, or what `body` throws.
    func takeOff<Result>(_ chunk: Int, _ body: (Int) throws -> Result) throws -> Result {
        let landed = monitor.wait { state -> Int?? in
            if state.isCancelled { return .some(nil) }
            guard state.started == chunk - 1, state.starting == state.started, state.isOpen else { return nil }
            state.starting = chunk
            return .some(state.landed)
        }
        guard let landed else { throw CancellationError() }
        defer { monitor.update { $0.started = chunk } }
        return try body(landed)
    }

    /// Hands a chunk on when it is known of all before whether they change more than the objects of their records.
    ///
    /// - Parameters:
    ///   - chunk: Its number; each is settled once.
    ///   - report: What is known of this one.
    func settle(_ chunk: Int, _ report: Report) {
        let ready = monitor.update { state in
            if state.isCancelled { return [(report.body, Standing.stale)] }
            state.unsettled[chunk] = report
            var ready: [(body: @Sendable (Standing) -> Void, standing: Standing)] = []
            while let next = state.unsettled.removeValue(forKey: state.settled + 1) {
                state.settled += 1
                let sound = state.withLate > state.landed ? Standing.doubtful : .sound
                ready.append((next.body, state.reachesFurther ? .stale : sound))
                state.reachesFurther = state.reachesFurther || next.reachesFurther
                if next.hasLate { state.withLate = state.settled }
            }
            return ready
        }
        for (body, standing) in ready { body(standing) }
    }

    /// Says that a closure that is called by the thread that writes has changed more than the object of its record.
    func reachFurther() { monitor.update { $0.reachesFurther = true } }

    /// Waits until all chunks before are committed; false if that takes too long, or the import ends.
    func waitForTurn(_ chunk: Int, milliseconds: Int) -> Bool {
        let isItsTurn = monitor.wait(milliseconds: milliseconds) { state -> Bool? in
            if state.isCancelled { return false }
            return state.landed >= chunk - 1 ? true : nil
        }
        return isItsTurn ?? false
    }

    /// Says that the writer's place is taken: chunks may take off.
    func open() { monitor.update { $0.isOpen = true } }

    /// Says that no further chunk may take off; gives back the number of the last one that has, or is at it.
    func close() -> Int {
        monitor.update { state in
            state.isOpen = false
            return state.starting
        }
    }

    /// Says that all chunks up to a number are committed.
    func land(_ chunk: Int) { monitor.update { $0.landed = chunk } }

    /// Lets nobody wait any more.
    func cancel() {
        let rest = monitor.update { state in
            state.isCancelled = true
            defer { state.unsettled = [:] }
            return state.unsettled.values.map(\.body)
        }
        for body in rest { body(.stale) }
    }
}
