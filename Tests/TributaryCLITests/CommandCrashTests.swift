import CTributaryFaults
import Foundation
import Testing
import TributaryTestSupport

/// Commands that are killed or lose power: the same command again has the same result as without a kill (P4).
///
/// `scripts/sweep-kills` tries every call and a thousand moments. `ImportCrashTests` kill imports of the library.
@Suite struct CommandCrashTests {
    private static let isWhole = ProcessInfo.processInfo.environment["TRIBUTARY_CRASHES"] == "all"
    /// A part of the names of the scenes that are played, all calls of each; nil for all scenes.
    private static let wanted = ProcessInfo.processInfo.environment["TRIBUTARY_SCENES"]
    /// The kills at random moments.
    private static let kills = ProcessInfo.processInfo.environment["TRIBUTARY_KILLS"].flatMap { Int($0) } ?? 8

    @Test(
        "A command killed at a call that changes files, or at a statement, has the same result if run again",
        arguments: CrashScene.all.filter { wanted.map($0.name.contains) ?? true })
    func killedAtACall(_ scene: CrashScene) async throws {
        var lots = SeededGenerator.sampled(5_400, case: scene.number)
        let stage = try CrashStage(scene)
        let calls = try await stage.calls()
        #expect(calls.sqlite > 20 && calls.system != 0 && calls.statements != 0)
        let count = calls.sqlite + max(0, calls.system)
        let (files, statements) = ((CommandCrash.files, count), (CommandCrash.statements, max(1, calls.statements)))
        var faults = [(FAULTS_KILL, files), (FAULTS_TEAR, files), (FAULTS_KILL, statements)]
        if !scene.isDirect { faults.append((FAULTS_POWER, files)) }
        if !Self.isWhole { faults = [(FAULTS_KILL, (CommandCrash.system, max(1, calls.system))), lots.pick(faults)] }
        var kills = 0
        for (mode, (kinds, count)) in faults {
            for point in Self.isWhole ? Array(1...count) : [1 + lots.below(count)] {
                kills += 1
                let found = try await stage.violations(mode: Int(mode), kinds: kinds, point: point, seed: lots.next())
                #expect(found.isEmpty, "seed \(lots.seed)\n\(found.joined(separator: "\n"))")
            }
        }
        print(
            "\(scene.name): \(kills) kills at \(count) calls and \(calls.statements) statements, seed \(lots.seed)"
        )
    }

    @Test(
        "A command killed at random moments has the same result if run again",
        arguments: CrashScene.imports + (isWhole ? CrashScene.all : []))
    func killedAtAMoment(_ scene: CrashScene) throws {
        var lots = SeededGenerator.sampled(5_500, case: scene.number)
        let stage = try CrashStage(scene)
        let wanted = Self.kills / CrashScene.imports.count
        var (kills, tries) = (0, 0)
        var places: [String: Int] = [:]
        while kills < wanted, tries < 4 * wanted {
            // The command that is run again may be killed as well.
            var moments = [lots.below(stage.microseconds)]
            while lots.once(in: 3) { moments.append(lots.below(stage.microseconds)) }
            tries += moments.count
            let (found, left) = try stage.violations(after: moments)
            #expect(found.isEmpty, "seed \(lots.seed)\n\(found.joined(separator: "\n"))")
            kills += left.count
            for files in left { places[files, default: 0] += 1 }
        }
        print("\(scene.name): \(kills) kills at moments of \(stage.microseconds) µs, seed \(lots.seed)")
        for (files, count) in places.sorted(by: { $0.value > $1.value }) { print("    \(count) left \(files)") }
    }
}
