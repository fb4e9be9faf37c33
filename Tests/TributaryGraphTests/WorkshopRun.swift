import Foundation
import TributaryConcurrency
import TributaryGraph
import TributaryTestSupport

/// Random steps in several contexts of one manager, each compared with ``OracleContext``.
final class WorkshopRun {
    let manager: ContextManager
    var generator: SeededGenerator
    /// The objects that the store should have.
    var store: [Int: OracleObject] = [:]
    var players: [WorkshopPlayer] = []
    /// The changes that the last save reported.
    let lastSave = Guarded<SavedChanges?>(nil)
    private var observation: ContextObservation?
    private(set) var log: [String] = []
    var step = 0
    private var lastCode = 0
    private let isLoud = ProcessInfo.processInfo.environment["TRIBUTARY_STEPS_SHOWN"] != nil

    init(_ location: StoreLocation, _ generator: SeededGenerator) throws {
        self.generator = generator
        manager = try ContextManager(model: Workshop.model(), store: location)
        let lastSave = lastSave
        observation = manager.observeSaves { saved in lastSave.withLock { $0 = saved } }
    }

    /// Runs `count` steps; a failure lists the last of them.
    func run(_ count: Int) throws {
        do {
            while step < count {
                try act(generator.pick(players))
            }
            for player in players { try player.enter { try self.verify(player, $0) } }
        } catch {
            let last = log.suffix(25).joined(separator: "\n")
            throw WorkshopFailure("seed \(generator.seed), step \(step): \(error)\n\(last)")
        }
    }

    /// Logs a step for the report of a failure.
    func note(_ player: WorkshopPlayer, _ text: @autoclosure () -> String) {
        let line = "\(step) \(player.name): \(text())"
        if isLoud { print(line) }
        log.append(line)
        if log.count > 200 { log.removeFirst(100) }
    }

    func newCode() -> Int {
        lastCode += 1
        return lastCode
    }

    func act(_ player: WorkshopPlayer) throws {
        if generator.once(in: 30) { return try playWithChild(player) }
        try player.enter { context in
            try self.take(player, context)
        }
    }

    /// Runs one random step, and checks the flags of all objects after it.
    private func take(_ player: WorkshopPlayer, _ context: ManagedObjectContext) throws {
        step += 1
        switch generator.below(40) {
        case 0..<4: try insert(player, context)
        case 4..<10: try setAttribute(player, context)
        case 10..<24: try relate(player, context)
        case 24..<26: try delete(player, context)
        case 26..<30: try fetch(player, context)
        case 30..<32: try lookClosely(player, context)
        case 32: try dropHandles(player)
        case 33..<36: try save(player, context)
        case 36: try generator.once(in: 3) ? rollback(player, context) : refresh(player, context)
        case 37: try generator.once(in: 8) ? reset(player, context) : refresh(player, context)
        default: try generator.once(in: 3) ? refreshAll(player, context) : fetch(player, context)
        }
        try checkFlags(player, context)
    }
}
