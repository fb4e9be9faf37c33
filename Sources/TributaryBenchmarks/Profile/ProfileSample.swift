import Tributary
import TributaryConcurrency

/// How an import stands at one moment.
struct ProfileSample: Codable, Sendable {
    /// What an import itself tells.
    struct State: Codable, Sendable {
        /// Records written so far.
        var records = 0
        /// Bytes that wait to be written.
        var queuedBytes = 0
        /// Seconds of the thread that writes, by what it did.
        var stages: [String: Double] = [:]
        /// Seconds of all threads that prepared chunks.
        var preparing = 0.0
        /// Seconds in which the reader was waited for.
        var reading = 0.0
        /// Seconds in which the reader had to wait for room.
        var held = 0.0

        init() {}

        init(_ measures: ImportMeasures) {
            records = measures.written
            queuedBytes = measures.queuedBytes
            stages = measures.stages
            preparing = measures.preparing
            reading = measures.reading
            held = measures.held
        }
    }

    /// Seconds since the beginning.
    var seconds: Double
    /// The memory of the process, in bytes.
    var memory: Int
    var state: State
}

/// Counts what a form does that has no counters of its own.
final class ProfileCounter: Sendable {
    private let guarded = Guarded(ProfileSample.State())

    var state: ProfileSample.State { guarded.withLock { $0 } }

    func add(_ records: Int) { guarded.withLock { $0.records += records } }

    /// Adds the time of `body` to a stage.
    func during<Result>(_ stage: String, _ body: () throws -> Result) rethrows -> Result {
        let start = ContinuousClock.now
        defer {
            let spent = ProfileSampler.seconds(.now - start)
            guarded.withLock { $0.stages[stage, default: 0] += spent }
        }
        return try body()
    }
}
