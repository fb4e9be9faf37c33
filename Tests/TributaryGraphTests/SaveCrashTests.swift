import CTributaryFaults
import Foundation
import Testing
import TributaryTestSupport

/// A save that is killed at any file system call leaves all of its changes in the store, or none.
///
/// `scripts/sweep-crashes` tries every call; by default, the tests try a few random ones.
@Suite(.serialized) struct SaveCrashTests {
    private static let isWhole = ProcessInfo.processInfo.environment["TRIBUTARY_CRASHES"] == "all"

    /// Random calls, or all of them.
    private func points(_ count: Int, of calls: Int, _ generator: inout SeededGenerator) -> [Int] {
        if Self.isWhole { return Array(1...calls) }
        return (0..<count).map { _ in 1 + generator.below(calls) }
    }

    @Test("A save killed at any file system call is stored completely or not at all", arguments: CrashWorld.Setting.all)
    func killedAtAnyCall(_ setting: CrashWorld.Setting) async throws {
        var generator = SeededGenerator.fresh()
        let stage = try await CrashStage(setting)
        #expect(stage.stateA != stage.stateB && stage.callsOfSave > 100, "\(stage.callsOfSave) calls")
        var found: [String] = []
        var tries = 0
        // Killing a process loses no written data, so durable settings matter only for power failures.
        let modes = setting.isDurable ? [FAULTS_POWER] : [FAULTS_KILL, FAULTS_TEAR, FAULTS_POWER]
        for mode in modes {
            for point in points(4, of: stage.calls, &generator) {
                tries += 1
                found += try await stage.violations(of: .init(mode: mode, point: point, seed: generator.next()))
            }
        }
        #expect(found.isEmpty, "seed \(generator.seed)")
        print(
            "\(setting): \(tries) crashes of a save with \(stage.callsOfSave)/\(stage.calls) calls, seed \(generator.seed)"
        )
    }

    @Test("The crash tests detect a disk that reports a sync without doing it", arguments: [true, false])
    func aLyingDiskIsFoundOut(_ usesLog: Bool) async throws {
        var generator = SeededGenerator.fresh()
        let stage = try await CrashStage(.init(usesLog: usesLog, isDurable: true))
        var found: [String] = []
        var tries = 0
        // About one try in ten meets a write that the disk has lost.
        while found.isEmpty, tries < 100 {
            tries += 1
            // With a log, the database file is written after the save, when the store is closed.
            let first = usesLog ? stage.callsOfSave : 0
            let point = first + 1 + generator.below(stage.calls - first)
            found = try await stage.violations(
                of: .init(mode: FAULTS_POWER_LIES, point: point, seed: generator.next()))
        }
        #expect(!found.isEmpty, "seed \(generator.seed)")
    }
}
