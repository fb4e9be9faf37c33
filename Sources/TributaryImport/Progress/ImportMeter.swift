import TributaryConcurrency

/// Measures an import, with a few calls for each chunk.
final class ImportMeter: Sendable {
    typealias Stage = ImportMeasures.Stage

    /// A reason to wait before the next chunk is prepared.
    enum Waiting: Sendable {
        case input, room
    }

    private struct State {
        var measures = ImportMeasures()
        var stage: (stage: Stage, since: ContinuousClock.Instant)?
        var waiting: (waiting: Waiting, since: ContinuousClock.Instant)?
        var busy = 0
        var busySince = ContinuousClock.now

        /// Adds the time until now to the current activities.
        mutating func accumulate() {
            let now = ContinuousClock.now
            if let (stage, since) = stage {
                measures.stages[stage.rawValue, default: 0] += (now - since) / Duration.seconds(1)
                self.stage = (stage, now)
            }
            if let (waiting, since) = waiting {
                switch waiting {
                case .input: measures.reading += (now - since) / Duration.seconds(1)
                case .room: measures.held += (now - since) / Duration.seconds(1)
                }
                self.waiting = (waiting, now)
            }
            measures.preparing += (now - busySince) / Duration.seconds(1) * Double(busy)
            busySince = now
        }
    }

    private let state = Guarded(State())

    /// The measures until now.
    var measures: ImportMeasures {
        state.withLock { state in
            state.accumulate()
            return state.measures
        }
    }

    // MARK: The thread that writes

    /// Begins a stage, or none if nil; returns the previous one.
    @discardableResult
    func enter(_ stage: Stage?) -> Stage? {
        state.withLock { state in
            state.accumulate()
            let earlier = state.stage?.stage
            state.stage = stage.map { ($0, .now) }
            return earlier
        }
    }

    /// Calls `body` as a stage of its own.
    func during<Result>(_ stage: Stage, _ body: () throws -> Result) rethrows -> Result {
        let earlier = enter(stage)
        defer { enter(earlier) }
        return try body()
    }

    /// Sets the number of records written so far.
    func wrote(_ count: Int) { state.withLock { $0.measures.written = count } }

    // MARK: The other threads

    /// Begins to wait, or ends waiting if nil.
    func wait(for waiting: Waiting?) {
        state.withLock { state in
            state.accumulate()
            state.waiting = waiting.map { ($0, .now) }
        }
    }

    /// Adjusts the size of the queue after a chunk was added, was removed or has changed its size.
    func resizeQueue(by bytes: Int) { state.withLock { $0.measures.queuedBytes += bytes } }

    /// Calls `body`, which prepares a chunk.
    func preparing<Result>(_ body: () -> Result) -> Result {
        change(busy: 1)
        defer { change(busy: -1) }
        return body()
    }

    private func change(busy: Int) {
        state.withLock { state in
            state.accumulate()
            state.busy += busy
        }
    }
}
