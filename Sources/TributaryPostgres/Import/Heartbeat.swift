import Foundation
import TributaryConcurrency

/// Says every few seconds that this process works on a range, through a connection of its own.
final class Heartbeat: Sendable {
    private struct State: Sendable {
        var range: ClaimedRange?
        var isEnded = false
        var isRunning = false
    }

    private let address: PostgresAddress
    private let owner: String
    private let state = Monitor(State())
    /// The time between two signs of life, a fraction of the lease.
    private static let milliseconds = 8000

    init(_ address: PostgresAddress, _ owner: String) { (self.address, self.owner) = (address, owner) }

    /// Begins to renew the lease of a range instead of the one before; none if nil.
    func work(on range: ClaimedRange?) throws {
        let mustStart = state.update { state in
            state.range = range
            defer { if range != nil { state.isRunning = true } }
            return range != nil && !state.isRunning
        }
        guard mustStart else { return }
        try WorkerThread.start { [self] in beat() }
    }

    /// Ends, and waits for the thread.
    func end() {
        state.update { $0.isEnded = true }
        state.wait { $0.isRunning ? nil : () }
    }

    private func beat() {
        defer { state.update { $0.isRunning = false } }
        var connection: PostgresConnection?
        while state.wait(milliseconds: Heartbeat.milliseconds, until: { $0.isEnded ? () : nil }) == nil {
            guard let range = state.read(\.range) else { continue }
            do {
                if connection?.isBroken ?? true { connection = try PostgresConnection(address, role: "lease") }
                if let connection { try RunJournal.renew(range, owner, on: connection) }
            } catch {
                // The commits of groups renew the lease as well; without it only another process may take the range.
                connection = nil
            }
        }
    }
}
