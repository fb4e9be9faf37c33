import Foundation
import Testing
import TributaryTestSupport

/// Random sequences of commands, compared with an oracle after each step.
///
/// `scripts/sweep-sessions` plays thousands of them.
@Suite struct SessionTests {
    @Test("Random sessions leave what the oracle says after each step", arguments: 0..<2)
    func sessions(half: Int) async throws {
        let count = SessionTests.number("SESSIONS") ?? 120
        try await play((count + 1 - half) / 2, from: half * count, isPostgres: false)
    }

    @Test("Random sessions leave what the oracle says in PostgreSQL")
    func serverSessions() async throws {
        try await play(SessionTests.number("SERVER_SESSIONS") ?? 10, isPostgres: true)
    }

    /// A number that a sweep says.
    private static func number(_ name: String) -> Int? {
        ProcessInfo.processInfo.environment["TRIBUTARY_\(name)"].flatMap { Int($0) }
    }

    /// The seed of the first session: a run of the suite plays the same ones each time, a sweep others.
    private static let seed = number("SEED") ?? 1

    /// Plays sessions in a process of their own, since they take its standard outputs.
    private func play(_ count: Int, from first: Int = 0, isPostgres: Bool) async throws {
        let seed = UInt64(SessionTests.seed + first)
        let folder = try TemporaryFolder()
        let run = SessionRun(
            firstSeed: seed, count: count, command: ProcessInfo.processInfo.environment["TRIBUTARY_COMMAND"],
            isPostgres: isPostgres, limit: SessionTests.number("DIFFERENCES") ?? 1,
            report: try folder.write([], to: "report"))
        let text = String(decoding: try JSONEncoder().encode(run), as: UTF8.self)
        await #expect(processExitsWith: .success, "seeds from \(seed) on") { [text = text as String] in
            // Commands run on the main thread.
            try await MainActor.run {
                try JSONDecoder().decode(SessionRun.self, from: Data(text.utf8)).play()
            }
        }
        let report = try String(contentsOfFile: run.report, encoding: .utf8)
        #expect(report.isEmpty, "\(report)")
        print("\(count) sessions\(isPostgres ? " on PostgreSQL" : ""), seeds from \(seed) on")
    }
}
