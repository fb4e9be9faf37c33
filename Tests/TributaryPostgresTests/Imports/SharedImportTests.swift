import Foundation
import Testing
import Tributary
import TributaryConcurrency
import TributaryPostgres
import TributaryTestSupport
import TributaryPlatform

/// Four workers that share one dump, some of which are disturbed, leave what one worker leaves that is not.
@Suite struct SharedImportTests {
    /// An empty or a filled table, and a dump with or without damage.
    struct Setting: Sendable, CustomTestStringConvertible {
        let isFilled: Bool
        let isValid: Bool
        var testDescription: String { "\(isFilled ? "filled" : "empty") table, \(isValid ? "valid" : "damaged") dump" }
        static let all = [(false, true), (true, true), (false, false)].map { Setting(isFilled: $0.0, isValid: $0.1) }
        /// A number for the seed.
        var number: UInt64 { (isFilled ? 1 : 0) + (isValid ? 2 : 0) }
    }

    private static let workers = 4

    private func stage(_ setting: Setting, _ lots: inout SeededGenerator) throws -> FaultStage {
        try FaultStage(isFilled: setting.isFilled, isValid: setting.isValid, &lots)
    }

    private func trial(_ world: PostgresWorld) throws -> FaultTrial {
        var trial = try FaultTrial(world, connections: 1, "&application_name=\(world.schema)")
        trial.joins = true
        return trial
    }

    /// Runs workers of this process until all have ended, each again after a lost connection.
    ///
    /// - Parameters:
    ///   - trials: The workers.
    ///   - isServerGone: Whether the server will not start again.
    ///   - onStatement: Called before each statement.
    /// - Returns: The errors that have ended one of them.
    /// - Throws: The system error if a thread cannot be started.
    private func run(
        _ trials: [FaultTrial], isServerGone: @escaping @Sendable () -> Bool = { false },
        onStatement: @escaping @Sendable (String) -> Void
    ) throws -> [String] {
        let errors = Guarded<[String]>([])
        let running = Monitor(trials.count)
        for trial in trials {
            try WorkerThread.start {
                var losses = 0
                while true {
                    do {
                        _ = try trial.makeImport(onStatement: onStatement).perform()
                        break
                    } catch let error as PostgresError where error.isConnectionLost && losses < 500 {
                        losses += 1
                    } catch let error as PostgresError where error.code == .unreachable && !isServerGone() {
                        // A server that is down refuses at once.
                        _ = running.wait(milliseconds: 20) { $0 == 0 ? () : nil }
                    } catch {
                        errors.withLock { $0.append("\(error)") }
                        break
                    }
                }
                running.update { $0 -= 1 }
            }
        }
        running.wait { $0 == 0 ? () : nil }
        return errors.withLock { $0 }
    }

    @Test("Workers that nothing disturbs", arguments: Setting.all)
    func undisturbed(_ setting: Setting) throws {
        var lots = SeededGenerator.sampled(11_000, case: setting.number)
        let stage = try stage(setting, &lots)
        let world = try stage.makeWorld()
        let ranges = Guarded(Set<String>())
        let claims = Guarded(0)
        let errors = try run(Array(repeating: try trial(world), count: Self.workers)) { text in
            guard text.hasPrefix("COPY"), text.contains("_key"),
                claims.next() == 1
            else {
                return
            }
            let found = try? world.column("SELECT number::text FROM _range WHERE step = 'keys'")
            ranges.withLock { $0 = Set((found ?? []).compactMap(\.self)) }
        }
        #expect(errors == [], "seed \(lots.seed)")
        #expect(ranges.withLock { $0.count } > 10)
        try stage.expect(nil, in: world, "seed \(lots.seed), \(setting.testDescription)")
        #expect(try world.column("SELECT count(*) FROM _run") == [stage.earlier == nil ? "1" : "2"])
    }

    @Test("A worker that is killed before any statement", arguments: Setting.all)
    func kills(_ setting: Setting) async throws {
        var lots = SeededGenerator.sampled(11_100, case: setting.number)
        let stage = try stage(setting, &lots)
        for round in 0..<FaultTrial.sharedTries {
            let world = try stage.makeWorld()
            var texts: [String] = []
            for worker in 0..<Self.workers {
                var trial = try trial(world)
                // One of four, at any moment of its part of the work.
                if worker == round % Self.workers { trial.killAt = 1 + lots.below(stage.statements) }
                texts.append(String(decoding: try JSONEncoder().encode(trial), as: UTF8.self))
            }
            await withTaskGroup(of: Void.self) { group in
                for text in texts {
                    group.addTask {
                        await #expect(processExitsWith: .signal(SIGKILL), "\(text)") { [text = text as String] in
                            try JSONDecoder().decode(FaultTrial.self, from: Data(text.utf8)).work()
                        }
                    }
                }
            }
            try stage.expect(nil, in: world, "seed \(lots.seed), round \(round), \(texts)")
        }
        print("shared, \(setting.testDescription): \(FaultTrial.sharedTries) kills, seed \(lots.seed)")
    }

    @Test("Workers whose connections are cut", arguments: Setting.all)
    func cuts(_ setting: Setting) throws {
        var lots = SeededGenerator.sampled(11_200, case: setting.number)
        let stage = try stage(setting, &lots)
        var lost = 0
        for round in 0..<FaultTrial.sharedTries {
            let world = try stage.makeWorld()
            let cutter = try ConnectionCutter(world.server.port, SeededGenerator(seed: lots.next()))
            let trial = try trial(world).through(cutter.port)
            let errors = try run(Array(repeating: trial, count: Self.workers)) { cutter.note($0) }
            lost += cutter.end()
            let label: Comment = "seed \(lots.seed), round \(round), \(setting.testDescription)"
            #expect(errors == [], label)
            try stage.expect(nil, in: world, label)
        }
        #expect(lost > 0)
        print("shared, \(setting.testDescription): \(lost) cuts, seed \(lots.seed)")
    }

    @Test("A worker whose part another one has taken over learns so before it trusts a refusal")
    func overtaken() throws {
        var lots = SeededGenerator.sampled(11_400)
        let stage = try stage(Setting(isFilled: false, isValid: true), &lots)
        let world = try stage.makeWorld()
        let trial = try trial(world)
        let copies = Guarded(0)
        let errors = try run([trial]) { text in
            // Its lease ends while it waits to write its first rows, and the other one does everything.
            guard text.hasPrefix("COPY"), text.contains("\"thing\""), copies.next() == 1 else { return }
            #expect(throws: Never.self) {
                try world.execute("UPDATE _range SET lease = '-infinity'")
                _ = try trial.makeImport().perform()
            }
        }
        #expect(errors == [] && copies.withLock { $0 } > 0, "seed \(lots.seed)")
        try stage.expect(nil, in: world, "seed \(lots.seed)")
    }

    @Test("Workers whose server is killed", arguments: Setting.all)
    func serverKills(_ setting: Setting) throws {
        var lots = SeededGenerator.sampled(11_300, case: setting.number)
        let stage = try stage(setting, &lots)
        let server = try PostgresServer.own()
        defer { server.remove() }
        for round in 0..<FaultTrial.sharedTries {
            let world = try stage.makeWorld(on: server)
            let begun = Guarded(0)
            let killAt = 1 + lots.below(stage.statements)
            let failure = Guarded<String?>(nil)
            let workers = Array(repeating: try trial(world), count: Self.workers)
            let errors = try run(workers, isServerGone: { failure.withLock { $0 != nil } }) { _ in
                guard begun.next() == killAt else { return }
                do { try server.killAndRestart() } catch { failure.withLock { $0 = "\(error)" } }
            }
            let label: Comment = "seed \(lots.seed), round \(round), killed before statement \(killAt)"
            #expect(failure.withLock { $0 } == nil, label)
            #expect(errors == [], label)
            try stage.expect(nil, in: world, label)
        }
        print("shared, \(setting.testDescription): \(FaultTrial.sharedTries) kills of the server, seed \(lots.seed)")
    }
}
