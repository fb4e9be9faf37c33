import TributaryConcurrency

/// Counts what an import does; a few calls for each chunk, so that it costs nothing.
final class ImportMeter: Sendable {
    typealias Stage = ImportMeasures.Stage

    /// What a reader's thread waits for.
    enum Waiting: Sendable {
        case input, room
    }

    private struct State {
        var measures = ImportMeasures()
        var seconds = [Double](repeating: 0, count: Stage.allCases.count)
        var stage: (stage: Stage, since: ContinuousClock.Instant)?
        var waiting: (waiting: Waiting, since: ContinuousClock.Instant)?
        var busy = 0
        var busySince = ContinuousClock.now

        /// Adds up to now what has begun and is not over.
        mutating func settle() {
            let now = ContinuousClock.now
            if let (stage, since) = stage {
                seconds[State.place(stage)] += State.seconds(now - since)
                self.stage = (stage, now)
            }
            if let (waiting, since) = waiting {
                switch waiting {
                case .input: measures.reading += State.seconds(now - since)
                case .room: measures.held += State.seconds(now - since)
                }
                self.waiting = (waiting, now)
            }
            measures.preparing += State.seconds(now - busySince) * Double(busy)
            busySince = now
        }

        static func place(_ stage: Stage) -> Int { Stage.allCases.firstIndex(of: stage) ?? 0 }

        private static func seconds(_ duration: Duration) -> Double {
            Double(duration.components.seconds) + Double(duration.components.attoseconds) * 1e-18
        }
    }

    private let state = Guarded(State())

    /// How it stands now.
    var measures: ImportMeasures {
        state.withLock { state in
            state.settle()
            var measures = state.measures
            for (stage, seconds) in zip(Stage.allCases, state.seconds) { measures.stages[stage.rawValue] = seconds }
            return measures
        }
    }

    // MARK: The thread that writes

    /// Notes what it does from now on, nil if nothing; gives back what it did before.
    @discardableResult
    func enter(_ stage: Stage?) -> Stage? {
        state.withLock { state in
            state.settle()
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

    /// So many records have been written in all.
    func wrote(_ count: Int) { state.withLock { $0.measures.written = count } }

    // MARK: The others

    /// What the thread behind the reader waits for; nil if it does not.
    func wait(for waiting: Waiting?) {
        state.withLock { state in
            state.settle()
            state.waiting = waiting.map { ($0, .now) }
        }
    }

    /// A chunk comes from the reader.
    func queue(_ records: Int, bytes: Int) {
        state.withLock { state in
            state.measures.read += records
            state.measures.queuedChunks += 1
            state.measures.queuedBytes += bytes
        }
    }

    /// A chunk that waits takes so much more.
    func resize(by bytes: Int) { state.withLock { $0.measures.queuedBytes += bytes } }

    /// A chunk is taken by the thread that writes.
    func unqueue() { state.withLock { $0.measures.queuedChunks -= 1 } }

    /// Calls `body`, which prepares a chunk.
    func preparing<Result>(_ body: () -> Result) -> Result {
        change(busy: 1)
        defer { change(busy: -1) }
        return body()
    }

    private func change(busy: Int) {
        state.withLock { state in
            state.settle()
            state.busy += busy
        }
    }
}
