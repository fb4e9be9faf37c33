import CTributaryFaults
import Foundation
import Testing
import TributaryTestSupport

/// Imports that are killed, lose power or fill the disk: resumed, they give the same result (P4).
///
/// `scripts/sweep-imports` tries every call; these tests try a random sample.
@Suite(.serialized) struct ImportCrashTests {
    /// An empty or a filled table, with a write-ahead log or a rollback journal, and how it is filled.
    struct Setting: Sendable, CustomTestStringConvertible {
        let usesLog: Bool
        let isEmpty: Bool
        var isDirect = false
        var isUnpublished = false
        var testDescription: String {
            "\(usesLog ? "WAL" : "DELETE"), \(isUnpublished ? "new" : isEmpty ? "empty" : "filled")"
                + (isDirect ? ", direct" : "")
        }
        static let all = [
            Setting(usesLog: true, isEmpty: true), Setting(usesLog: true, isEmpty: false),
            Setting(usesLog: false, isEmpty: true), Setting(usesLog: false, isEmpty: false),
            Setting(usesLog: true, isEmpty: true, isDirect: true),
            Setting(usesLog: false, isEmpty: true, isDirect: true),
            Setting(usesLog: true, isEmpty: true, isDirect: true, isUnpublished: true),
        ]

        /// A number for the seed.
        var number: UInt64 { UInt64(Setting.all.firstIndex { $0.testDescription == testDescription } ?? 0) }
    }

    private static let isWhole = ProcessInfo.processInfo.environment["TRIBUTARY_CRASHES"] == "all"
    private static let records = 300

    /// All points up to `all`, or a random sample of at most `count` of them.
    private func points(_ count: Int, of all: Int, _ lots: inout SeededGenerator) -> [Int] {
        if Self.isWhole { return Array(1...all) }
        let points = Array(stride(from: 1 + lots.below(10), through: all, by: 10))
        return points.shuffled(using: &lots).prefix(count).sorted()
    }

    @Test("An import that dies at a call that changes files resumes to the same result", arguments: Setting.all)
    func killedAtACall(_ setting: Setting) async throws {
        var lots = SeededGenerator.sampled(5_000, case: setting.number)
        let stage = try await ImportCrashStage(setting, records: Self.records, &lots)
        #expect(stage.callsOfImport > 30, "\(stage.callsOfImport) calls")
        var found: [String] = []
        var tries = 0
        // The power cuts of these tests do not see what is renamed without SQLite.
        let power = setting.isUnpublished ? 0 : 4
        for (mode, count) in [(FAULTS_KILL, 12), (FAULTS_TEAR, 3), (FAULTS_POWER, power)] {
            if count == 0 { continue }
            for point in points(count, of: stage.calls, &lots) + [.max] {
                tries += 1
                found += try await stage.violations(of: .call(mode: Int(mode), number: point, seed: lots.next()))
            }
        }
        #expect(found.isEmpty, "seed \(lots.seed)")
        print("\(setting.testDescription): \(tries) of \(stage.callsOfImport)/\(stage.calls) calls, seed \(lots.seed)")
    }

    @Test(
        "An import killed at any moment or statement resumes to the same result",
        arguments: Setting.all.filter(\.usesLog))
    func killedAtAnyMoment(_ setting: Setting) async throws {
        var lots = SeededGenerator.sampled(5_100, case: setting.number)
        let stage = try await ImportCrashStage(setting, records: Self.records, &lots)
        var found: [String] = []
        for _ in 0..<(Self.isWhole ? 200 : 6) {
            found += try await stage.violations(of: .moment(lots.below(30_000_000)))
        }
        for point in Self.isWhole ? Array(1...stage.statements) : (0..<8).map({ _ in 1 + lots.below(stage.statements) })
        {
            found += try await stage.violations(of: .statement(point))
        }
        #expect(found.isEmpty, "seed \(lots.seed)")
    }

    @Test("An import that failed on a full disk resumes to the same result", arguments: Setting.all)
    func theDiskIsFullAndGrows(_ setting: Setting) async throws {
        var lots = SeededGenerator.sampled(5_200, case: setting.number)
        let stage = try await ImportCrashStage(setting, records: Self.records, &lots)
        var found: [String] = []
        for mode in [FAULTS_FULL, FAULTS_IO] {
            for point in points(3, of: stage.callsOfImport * 4 / 5, &lots) {
                found += try await stage.violations(of: .full(mode: Int(mode), number: point))
            }
        }
        for size in [1000, 5000, 20_000] { found += try await stage.violations(of: .fileSize(size)) }
        #expect(found.isEmpty, "seed \(lots.seed)")
    }

    /// Proves that the tests above can fail, since this disk reports a sync that it has not done.
    @Test("The crash tests detect a disk that reports syncs it has not done", arguments: [true, false])
    func aLyingDiskIsFoundOut(_ usesLog: Bool) async throws {
        var lots = SeededGenerator.sampled(5_300)
        let stage = try await ImportCrashStage(
            Setting(usesLog: usesLog, isEmpty: false), records: Self.records, &lots)
        var found: [String] = []
        var tries = 0
        while found.isEmpty, tries < 30 {
            tries += 1
            // The number of calls depends on when threads run. Every other try loses power after the store is closed;
            // in the others, the lost writes may be in the log as well.
            let point = tries % 2 == 0 ? .max : 1 + lots.below(stage.calls)
            found = try await stage.violations(
                of: .call(mode: Int(FAULTS_POWER_LIES), number: point, seed: lots.next()))
        }
        print("\(usesLog ? "WAL" : "DELETE"): \(tries) tries, seed \(lots.seed)")
        #expect(!found.isEmpty, "seed \(lots.seed)")
    }
}
