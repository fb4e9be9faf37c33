import Foundation
import Testing
import TributaryConcurrency
import TributaryTestSupport

import Tributary
import TributaryPostgres
import TributaryPlatform

/// Imports whose connections are lost, whose process is killed, or whose work others take over.
@Suite struct ImportFaultTests {
    /// An empty or a filled table, and the number of connections.
    struct Setting: Sendable, CustomTestStringConvertible {
        let isFilled: Bool
        let connections: Int
        var testDescription: String { "\(isFilled ? "filled" : "empty") table, \(connections) connections" }
        static let all = [(false, 1), (false, 3), (true, 1), (true, 3)].map {
            Setting(isFilled: $0.0, connections: $0.1)
        }
        /// A number for the seed.
        var number: UInt64 { UInt64(connections) * 2 + (isFilled ? 1 : 0) }
    }

    /// Waits until the server knows no connection of a name.
    private func waitForEnd(of name: String, _ world: PostgresWorld) throws {
        let observer = try world.connect()
        while try observer.execute("SELECT FROM pg_stat_activity WHERE application_name = $1", [.text(name)]).rowCount
            > 0
        {}
    }

    // MARK: Lost connections

    @Test("Connections that are cut after any byte do not change the result", arguments: Setting.all)
    func cuts(_ setting: Setting) throws {
        var lots = SeededGenerator.sampled(10_300, case: setting.number)
        let stage = try FaultStage(isFilled: setting.isFilled, connections: setting.connections, &lots)
        var lost = 0
        for round in 0..<FaultTrial.tries {
            let world = try stage.makeWorld()
            let cutter = try ConnectionCutter(world.server.port, SeededGenerator(seed: lots.next()))
            let trial = try FaultTrial(world, connections: setting.connections).through(cutter.port)
            let label: Comment = "round \(round), seed \(lots.seed), \(setting.testDescription)"
            var summary: ImportSummary?
            do {
                summary = try trial.makeImport { cutter.note($0) }.perform().summary
            } catch let error as PostgresError where error.isConnectionLost || error.code == .unreachable {
                print("\(label) gave up: \(error)")
            }
            lost += cutter.end()
            // It has resumed by itself, or does when it is started again.
            let end = try summary ?? trial.makeImport().perform().summary
            try stage.expect(end, in: world, label)
        }
        #expect(lost > 0)
        print("\(setting.testDescription): \(lost) cuts, seed \(lots.seed)")
    }

    @Test("A commit whose answer is lost counts once", arguments: Setting.all, PostgresProxy.Direction.allCases)
    func lostCommits(_ setting: Setting, _ direction: PostgresProxy.Direction) throws {
        var lots = SeededGenerator.sampled(10_400, case: setting.number)
        let stage = try FaultStage(isFilled: setting.isFilled, connections: setting.connections, &lots)
        let world = try stage.makeWorld()
        let cutter = try ConnectionCutter(world.server.port, SeededGenerator(seed: lots.next()))
        cutter.cutsCommits(direction)
        let trial = try FaultTrial(world, connections: setting.connections).through(cutter.port)
        let summary = try trial.makeImport { cutter.note($0) }.perform().summary
        #expect(cutter.end() > 0)
        try stage.expect(summary, in: world, "seed \(lots.seed), \(setting.testDescription)")
    }

    @Test("Connections that an administrator ends do not change the result", arguments: Setting.all)
    func terminated(_ setting: Setting) throws {
        var lots = SeededGenerator.sampled(10_500, case: setting.number)
        let stage = try FaultStage(isFilled: setting.isFilled, connections: setting.connections, &lots)
        for round in 0..<FaultTrial.tries {
            let world = try stage.makeWorld()
            let trial = try FaultTrial(world, connections: setting.connections, "&application_name=\(world.schema)")
            let points = Set((0..<4).map { _ in 1 + lots.below(stage.statements) })
            let (begun, ended) = (Guarded(0), Guarded(0))
            let summary = try trial.makeImport { _ in
                guard points.contains(begun.next()) else { return }
                let pids = try? world.column(
                    "SELECT pg_terminate_backend(pid)::text FROM pg_stat_activity WHERE application_name = $1",
                    [.text(world.schema)])
                ended.withLock { $0 += pids?.count ?? 0 }
            }.perform().summary
            #expect(ended.withLock { $0 } > 0)
            try stage.expect(
                summary, in: world, "round \(round), seed \(lots.seed), \(setting.testDescription), before \(points)")
        }
    }

    // MARK: Processes

    @Test("An import that is killed before any statement resumes to the same result", arguments: Setting.all)
    func kills(_ setting: Setting) async throws {
        var lots = SeededGenerator.sampled(10_600, case: setting.number)
        let stage = try FaultStage(isFilled: setting.isFilled, connections: setting.connections, &lots)
        for _ in 0..<FaultTrial.tries {
            let world = try stage.makeWorld()
            var trial = try FaultTrial(world, connections: setting.connections, "&application_name=\(world.schema)")
            trial.killAt = 1 + lots.below(stage.statements)
            // Killed twice, it has resumed an import that had been killed.
            for _ in 0..<2 {
                let text = String(decoding: try JSONEncoder().encode(trial), as: UTF8.self)
                await #expect(processExitsWith: .signal(SIGKILL), "\(trial)") { [text = text as String] in
                    try JSONDecoder().decode(FaultTrial.self, from: Data(text.utf8)).work()
                }
                try waitForEnd(of: world.schema, world)
                trial.killAt = 1 + lots.below(max(1, stage.statements / 2))
            }
            let summary = try trial.makeImport().perform().summary
            try stage.expect(summary, in: world, "seed \(lots.seed), \(setting.testDescription), \(trial)")
        }
    }

    /// Runs an import of a new table, and calls `body` once while it writes the group with this number.
    private func disturb(
        _ world: PostgresWorld, _ trial: FaultTrial, group: Int, _ body: @escaping @Sendable () -> Void
    ) throws -> ImportSummary {
        let begun = Guarded(0)
        return try trial.makeImport { text in
            guard text.hasPrefix("COPY"), text.contains("\"thing\"") else { return }
            if begun.next() == group { body() }
        }.perform().summary
    }

    @Test("A second import of the same dump is refused while the first one works")
    func twice() throws {
        var lots = SeededGenerator.sampled(10_700)
        let stage = try FaultStage(&lots)
        let world = try stage.makeWorld()
        let trial = try FaultTrial(world, connections: 1)
        let refused = Guarded<(any Error)?>(nil)
        let summary = try disturb(world, trial, group: 4) {
            do { _ = try trial.makeImport().perform() } catch { refused.withLock { $0 = error } }
        }
        let error = try #require(refused.withLock { $0 } as? ImportError)
        #expect(error.code == .running, "\(error)")
        #expect("\(error)".contains("already running, as run 1"), "\(error)")
        #expect("\(error)".contains("process \(getpid())"), "\(error)")
        try stage.expect(summary, in: world, "seed \(lots.seed)")
        #expect(try world.column("SELECT count(*) FROM _run") == ["1"])
    }

    @Test("A worker whose range was taken over cannot commit", arguments: [1, 3])
    func fenced(_ connections: Int) throws {
        var lots = SeededGenerator.sampled(10_800)
        let stage = try FaultStage(&lots)
        let world = try stage.makeWorld()
        let trial = try FaultTrial(world, connections: connections)
        let other = try world.connect()
        let count = Guarded<String?>(nil)
        let pid = Int64(other.processID)
        let error = try #require(throws: ImportError.self) {
            try disturb(world, trial, group: 5) {
                guard let connection = try? world.connect() else { return }
                // The connection `other` is the one of the process that has claimed the range.
                try? connection.transaction {
                    try connection.execute(
                        """
                        UPDATE _range SET epoch = epoch + 1, owner = 'other', backend = $1::integer, backend_start =
                        (SELECT backend_start FROM pg_stat_activity WHERE pid = $1::integer), lease = now() + interval '1 hour'
                        """, [.integer(pid)])
                    // No group commits as long as the row of the range is locked.
                    let found = try connection.execute("SELECT count(*) FROM thing").text(0, 0)
                    count.withLock { $0 = found }
                }
            }
        }
        #expect(error.code == .running && error.reason.contains("already running, as run 1 (other)"), "\(error)")
        #expect(try world.column("SELECT count(*) FROM thing") == [count.withLock { $0 }])
        #expect(try world.column("SELECT state FROM _run") == ["running"])
        let refused = try #require(throws: ImportError.self) { try trial.makeImport().perform() }
        #expect(refused.code == .running && refused.reason.contains("other"), "\(refused)")
        other.close()
        let observer = try world.connect()
        while try observer.execute("SELECT FROM pg_stat_activity WHERE pid = $1::integer", [.integer(pid)]).rowCount > 0
        {}
        // The lease does not matter once the process is gone.
        let summary = try trial.makeImport().perform().summary
        try stage.expect(summary, in: world, "seed \(lots.seed)")
    }

    @Test("A dump that needs other columns when its import is resumed is refused")
    func changedColumns() throws {
        let world = try PostgresWorld()
        let running = Guarded<PostgresImport?>(nil)
        let begun = Guarded(0)
        let text = "[\((0..<50).map { #"{"id":\#($0),"price":1}"# }.joined(separator: ","))]"
        let feed = try world.makeImport(text, .inferred("thing", key: "id")) { options, settings in
            (options.resuming, options.batchSize, settings.groupRows) = (.resume, 1, 1)
            settings.onStatement = { text in
                guard text.hasPrefix("COPY") else { return }
                if begun.next() == 5 { running.withLock { $0 }?.cancel() }
            }
        }
        running.withLock { $0 = feed }
        guard case .stopped = try feed.perform() else {
            Issue.record("it was not stopped")
            return
        }
        running.withLock { $0 = nil }
        let error = try #require(throws: ImportError.self) {
            try world.load(#"[{"id":1,"price":1.5}]"#) { options, _ in options.resuming = .resume }
        }
        #expect(error.code == .journal && error.reason.contains("other columns or types"), "\(error)")
    }

    @Test("An import that is cancelled stops after a group, and resumes")
    func cancelled() throws {
        var lots = SeededGenerator.sampled(10_900)
        let stage = try FaultStage(connections: 3, &lots)
        let world = try stage.makeWorld()
        let trial = try FaultTrial(world, connections: 3)
        let running = Guarded<PostgresImport?>(nil)
        let begun = Guarded(0)
        let feed = try trial.makeImport { text in
            guard text.hasPrefix("COPY") else { return }
            if begun.next() == 5 { running.withLock { $0 }?.cancel() }
        }
        running.withLock { $0 = feed }
        guard case .stopped(let part) = try feed.perform() else {
            Issue.record("it was not stopped")
            return
        }
        running.withLock { $0 = nil }
        #expect(part.read > 0 && part.read < stage.whole.tally[0])
        #expect(try world.column("SELECT state FROM _run") == ["stopped"])
        let summary = try trial.makeImport().perform().summary
        try stage.expect(summary, in: world, "seed \(lots.seed)")
    }
}
