import Foundation
import TributaryConcurrency
import TributaryJSON

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// What everybody may see of an import that runs, and how it is stopped.
final class ImportWatch: Sendable {
    /// What an import is doing.
    enum Phase: String, Sendable {
        case waiting, reading
        case indexes = "building indexes"
        case heldBack = "applying repeated keys"
        case finished

        /// What the thread that writes does in it.
        var stage: ImportMeasures.Stage {
            switch self {
            case .waiting, .reading, .finished: .writing
            case .indexes: .indexing
            case .heldBack: .heldBack
            }
        }
    }

    private struct State {
        var summary = ImportSummary()
        var phase = Phase.waiting
        var reader: RecordReader?
        var isStopped = false
        var onStop: (@Sendable () -> Void)?
    }

    private let state = Guarded(State())
    /// What is counted while it runs.
    let meter = ImportMeter()

    /// The books as they were committed last.
    var summary: ImportSummary {
        get { state.withLock { $0.summary } }
        set { state.withLock { $0.summary = newValue } }
    }

    /// What is being done.
    var phase: Phase {
        get { state.withLock { $0.phase } }
        set { state.withLock { $0.phase = newValue } }
    }

    /// The reader.
    var reader: RecordReader? {
        get { state.withLock { $0.reader } }
        set { state.withLock { $0.reader = newValue } }
    }

    /// Whether somebody wants it to stop.
    var isStopped: Bool { state.withLock { $0.isStopped } }

    /// Lets it stop behind the chunk at hand.
    func stop() {
        let body = state.withLock { state in
            state.isStopped = true
            return state.onStop
        }
        body?()
    }

    /// Calls `body` when it is to stop, at once if that was said before.
    func begin(_ body: @escaping @Sendable () -> Void) {
        let isStopped = state.withLock { state in
            state.onStop = body
            return state.isStopped
        }
        if isStopped { body() }
    }

    /// Nothing is to be called any more.
    func end() { state.withLock { $0.onStop = nil } }

    /// The most memory the process has had, in bytes.
    static var peakMemory: Int {
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
