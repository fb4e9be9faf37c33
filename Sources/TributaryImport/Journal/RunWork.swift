import Foundation
import TributarySQLite

/// Which processes work on runs.
package enum RunWork: Sendable {
    /// The process that writes the file of the database, if there is one, and when it began in seconds since 1970.
    case process(Int?, since: Double = 0)
    /// The processes that work on the run, on any machine.
    case processes([String])

    /// The process that writes the database at a path, if there is one.
    package init(on path: String) {
        self = .process(WriterLock.holder(database: path), since: WriterLock.start(database: path) ?? 0)
    }

    /// Whether there is a process.
    package var isPresent: Bool {
        switch self {
        case .process(let number, _): number != nil
        case .processes(let names): !names.isEmpty
        }
    }

    /// Whether a process works on a run whose entry says that it is running.
    package func isRunning(_ entry: JournalEntry) -> Bool {
        guard entry.state == .running else { return false }
        return switch self {
        // An interrupted run of an earlier process has written nothing since this one began.
        case .process(let number, let start): number != nil && entry.updated.timeIntervalSince1970 >= start
        case .processes(let names): !names.isEmpty
        }
    }

    /// The state of a run in words.
    package func state(of entry: JournalEntry) -> String {
        switch entry.state {
        case .finished: "finished"
        case .failed: "failed" + (entry.failure.map { ": \($0)" } ?? "")
        case .stopped: "stopped"
        case .abandoned: "abandoned"
        case .undone: "undone"
        case .running:
            switch self {
            case .process(let number?, _): "running in process \(number), or interrupted"
            case .processes(let names) where !names.isEmpty: "running: \(names.joined(separator: "; "))"
            case .process, .processes: "interrupted"
            }
        }
    }
}
