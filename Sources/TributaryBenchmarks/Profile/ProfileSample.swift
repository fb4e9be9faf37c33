import Tributary
import TributaryConcurrency

/// The progress of an import at one time.
struct ProfileSample: Codable, Sendable {
    /// The counters of an import.
    struct State: Codable, Sendable {
        /// Records written so far.
        var records = 0
        /// Bytes that are queued for writing.
        var queuedBytes = 0
        /// Seconds of the writing thread, by stage.
        var stages: [String: Double] = [:]
        /// Seconds of all threads in the preparation of chunks.
        var preparing = 0.0
        /// Seconds of waiting for the reader.
        var reading = 0.0
        /// Seconds in which the reader waited for room in the queue.
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

    /// Seconds since the start.
    var seconds: Double
    /// The memory of the process, in bytes.
    var memory: Int
    var state: State
}

/// The counters for a form without `StreamImport`.
final class ProfileCounter: Sendable {
    private let guarded = Guarded(ProfileSample.State())

    var state: ProfileSample.State { guarded.withLock { $0 } }

    func add(_ records: Int) { guarded.withLock { $0.records += records } }

    /// Adds the time of `body` to a stage.
    func during<Result>(_ stage: String, _ body: () throws -> Result) rethrows -> Result {
        let start = ContinuousClock.now
        defer {
            let spent = (ContinuousClock.now - start) / Duration.seconds(1)
            guarded.withLock { $0.stages[stage, default: 0] += spent }
        }
        return try body()
    }
}
