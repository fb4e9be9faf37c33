import Foundation
import TributaryConcurrency
package import TributaryJSON
import TributaryPlatform

/// The progress of an import, readable on any thread, and the way to stop it.
package final class ImportWatch: Sendable {
    private struct State {
        var summary = ImportSummary()
        var phase = ImportPhase.waiting
        var reader: RecordReader?
        var isStopped = false
        var onStop: (@Sendable () -> Void)?
    }

    private let state = Guarded(State())

    /// A watch of an import that has not begun.
    package init() {}

    /// Measures the import while it runs.
    let meter = ImportMeter()

    /// The counts as of the last commit.
    package var summary: ImportSummary {
        get { state.withLock { $0.summary } }
        set { state.withLock { $0.summary = newValue } }
    }

    /// The current phase.
    package var phase: ImportPhase {
        get { state.withLock { $0.phase } }
        set { state.withLock { $0.phase = newValue } }
    }

    /// The reader, while the import reads.
    package var reader: RecordReader? {
        get { state.withLock { $0.reader } }
        set { state.withLock { $0.reader = newValue } }
    }

    /// Whether the import should stop.
    package var isStopped: Bool { state.withLock { $0.isStopped } }

    /// Stops the import after the current chunk.
    package func stop() {
        let body = state.withLock { state in
            state.isStopped = true
            return state.onStop
        }
        body?()
    }

    /// Calls `body` when the import should stop; at once if `stop` was called before.
    package func begin(_ body: @escaping @Sendable () -> Void) {
        let isStopped = state.withLock { state in
            state.onStop = body
            return state.isStopped
        }
        if isStopped { body() }
    }

    /// Ends the calls of `begin`.
    package func end() { state.withLock { $0.onStop = nil } }

    /// The peak memory of the process, in bytes.
    package static var peakMemory: Int {
        var usage = rusage()
        #if canImport(Glibc)
            getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        #else
            getrusage(RUSAGE_SELF, &usage)
        #endif
        #if canImport(Darwin)
            return usage.ru_maxrss
        #else
            return usage.ru_maxrss * 1024
        #endif
    }
}
