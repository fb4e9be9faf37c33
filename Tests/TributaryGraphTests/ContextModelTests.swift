import Foundation
import Testing
import TributaryGraph
import TributaryTestSupport

@Suite("Random steps compared with an oracle") struct ContextModelTests {
    /// The number of steps in a run, which `TRIBUTARY_STEPS` overrides.
    private static var steps: Int { ProcessInfo.processInfo.environment["TRIBUTARY_STEPS"].flatMap { Int($0) } ?? 3000 }

    private func seed() -> SeededGenerator {
        let generator = SeededGenerator.sampled(1)
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

    @Test("Random steps in one context on a memory store match the oracle")
    func oneContextInMemory() throws { try play(.memory, contexts: 1) }

    @Test("Random steps in three contexts on a memory store match the oracle")
    func threeContextsInMemory() throws { try play(.memory, contexts: 3) }

    @Test("Random steps in three contexts on a file store match the oracle")
    func threeContextsOnAFile() throws {
        let folder = try TemporaryFolder()
        try play(.sqlite(folder.path("model.sqlite")), contexts: 3)
    }

    @MainActor @Test("Random steps in the main context and a private one match the oracle")
    func theMainContextAndAPrivateOne() throws {
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
