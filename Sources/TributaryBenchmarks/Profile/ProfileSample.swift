import Tributary
import TributaryConcurrency

/// The progress of an import at one time.
struct ProfileSample: Codable, Sendable {
    /// Seconds since the start.
    var seconds: Double
    /// The memory of the process, in bytes.
    var memory: Int
    var state: ImportMeasures
}

/// The counters for a form without `StreamImport`.
final class ProfileCounter: Sendable {
    private let guarded = Guarded(ImportMeasures())

    var state: ImportMeasures { guarded.withLock { $0 } }

    func add(_ records: Int) { guarded.withLock { $0.written += records } }

    /// Adds the time of `body` to a stage.
    func during<Result>(_ stage: String, _ body: () throws -> Result) rethrows -> Result {
        let start = ContinuousClock.now
        defer {
            let spent = (ContinuousClock.now - start).seconds
            guarded.withLock { $0.stages[stage, default: 0] += spent }
        }
        return try body()
    }
}
