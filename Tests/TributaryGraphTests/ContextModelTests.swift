import Foundation
import Testing
import TributaryGraph
import TributaryTestSupport

/// Random changes, fetches and saves in several contexts end as the semantics say.
@Suite struct ContextModelTests {
    /// How many steps a run takes; more with `TRIBUTARY_STEPS`.
    private static var steps: Int { ProcessInfo.processInfo.environment["TRIBUTARY_STEPS"].flatMap { Int($0) } ?? 3000 }

    private func seed() -> SeededGenerator {
        let generator = SeededGenerator.sampled(2026)
        print("ContextModelTests: seed \(generator.seed)")
        return generator
    }

    private func play(_ location: StoreLocation, contexts: Int) throws {
        let run = try WorkshopRun(location, seed())
        for number in 1...contexts {
            let context = run.manager.newPrivateContext(name: "P\(number)")
            run.players.append(WorkshopPlayer("P\(number)", run.store, in: context))
        }
        try run.run(Self.steps)
    }

    @Test func oneContextInMemory() throws { try play(.memory, contexts: 1) }

    @Test func threeContextsInMemory() throws { try play(.memory, contexts: 3) }

    @Test func threeContextsOnAFile() throws {
        let folder = try TemporaryFolder()
        try play(.sqlite(folder.path("model.sqlite")), contexts: 3)
    }

    @MainActor @Test func theMainContextAndAPrivateOne() throws {
        let run = try WorkshopRun(.memory, seed())
        let main = run.manager.mainContext
        main.mergesAutomatically = false
        run.players = [
            WorkshopPlayer("M", run.store) { try $0(main) },
            WorkshopPlayer("P", run.store, in: run.manager.newPrivateContext(name: "P")),
        ]
        try run.run(Self.steps)
    }
}
