import Foundation
import Testing
import TributaryConcurrency
import TributaryGraph
import TributaryTestSupport

/// Random changes, applied to a copy of the results as they are reported, against a fresh fetch.
@Suite struct FetchedResultsPropertyTests {
    private static let count = ProcessInfo.processInfo.environment["TRIBUTARY_RESULTS"].flatMap { Int($0) } ?? 300
    private static let perStore = 10

    @Test("The changes that a controller tells, applied to the old list, give the new list")
    func changesTurnTheOldListIntoTheNewOne() throws {
        for store in 0..<(Self.count + Self.perStore - 1) / Self.perStore {
            let manager = try ContextManager(model: ResultsEntry.model(), store: .memory)
            let world = World(manager)
            for number in 0..<Self.perStore {
                try world.run(SeededGenerator.sampled(9, case: UInt64(store * Self.perStore + number)))
            }
        }
    }

    /// A store with a context that is followed, and one beside it.
    private final class World {
        private let manager: ContextManager
        private let followed: PrivateContext
        private let other: PrivateContext
        private let saves = Guarded<[SavedChanges]>([])
        private let observation: ContextObservation
        private var lastID = 0

        init(_ manager: ContextManager) {
            self.manager = manager
            (followed, other) = (manager.newPrivateContext(), manager.newPrivateContext())
            observation = manager.observeSaves { [saves] saved in saves.withLock { $0.append(saved) } }
        }

        func run(_ random: SeededGenerator) throws {
            var random = random
            try followed.performAndWait { context in try run(&random, context) }
        }

        private func run(_ random: inout SeededGenerator, _ context: ManagedObjectContext) throws {
            let hasSections = random.below(3) > 0
            var request = FetchRequest<ResultsEntry>(where: random.once(in: 4) ? nil : "isShown == TRUE AND rank < 8")
            if random.once(in: 4) { request.includesSubentities = false }
            request.batchSize = random.below(2)
            request.sort = [SortKey("group", ascending: random.once(in: 2))]
            if random.once(in: 2) { request.sort.append(SortKey("rank", ascending: random.once(in: 2))) }
            if random.once(in: 3) { request.sort.append(SortKey("title", options: .caseInsensitive)) }
            let name: (@Sendable (FilterValue) -> String)? =
                random.once(in: 3) ? FetchedResultsPropertyTests.initial : nil
            /// A controller that fetches now.
            func fetched() throws -> FetchedResultsController<ResultsEntry> {
                let controller = try FetchedResultsController(
                    request, in: context, sectionKeyPath: hasSections ? "group" : nil, sectionName: name)
                try controller.performFetch()
                let expected = try context.fetch(request)
                #expect(expected == controller.fetchedObjects)
                return controller
            }
            let controller = try fetched()
            controller.reloadThreshold = .max
            let copy = ResultsCopy(controller)
            defer { context.rollback() }
            var steps: [String] = []
            for _ in 0..<(4 + random.below(8)) {
                for _ in 0..<(1 + random.below(4)) { steps.append(try step(&random, context)) }
                if random.once(in: 3) { steps.append(try boundary(&random, context)) }
                context.processPendingChanges()
                let expected = try ResultsCopy.sections(of: fetched())
                let told = copy.sections
                guard told == expected, ResultsCopy.sections(of: controller) == expected else {
                    Issue.record(
                        """
                        seed \(random.seed): \(steps)
                        told \(told)
                        has \(ResultsCopy.sections(of: controller)), expected \(expected)
                        \(copy.changes.suffix(3).map(ResultsCopy.text))
                        """)
                    return
                }
            }
        }

        private func edit(_ entry: ResultsEntry, _ random: inout SeededGenerator) {
            switch random.below(6) {
            case 0: entry.group = random.pick([nil, "a", "b", "B", "c", "é", "ab"])
            case 1: entry.rank = random.below(10)
            case 2: entry.title = random.pick([nil, "x", "X", "y", "z"])
            case 3: entry.isShown.toggle()
            case 4: entry.note = "\(random.below(1000))"
            default:
                entry.group = random.pick(["a", "b", "c"])
                entry.rank = random.below(10)
            }
        }

        private func insert(_ random: inout SeededGenerator, _ context: ManagedObjectContext) -> ResultsEntry {
            lastID += 1
            let entry =
                random.once(in: 3) ? context.insert(ResultsSpecialEntry.self) : context.insert(ResultsEntry.self)
            entry.id = lastID
            for _ in 0..<2 { edit(entry, &random) }
            return entry
        }

        private func any(_ random: inout SeededGenerator, _ context: ManagedObjectContext) throws -> ResultsEntry? {
            let ids = try context.ids(FetchRequest<ResultsEntry>(sort: [SortKey("id")]))
            return ids.isEmpty ? nil : context.object(with: random.pick(ids)) as? ResultsEntry
        }

        private func step(_ random: inout SeededGenerator, _ context: ManagedObjectContext) throws -> String {
            switch random.below(10) {
            case 0...2: return "insert \(insert(&random, context).id)"
            case 3...6:
                guard let entry = try any(&random, context) else { return "nothing" }
                edit(entry, &random)
                return "edit \(entry.id)"
            case 7:
                guard let entry = try any(&random, context) else { return "nothing" }
                entry.delete()
                return "delete \(entry.id)"
            case 8:
                guard let entry = try any(&random, context) else { return "nothing" }
                let keeps = random.once(in: 2)
                try context.refresh(entry, mergeChanges: keeps)
                return "refresh \(keeps)"
            default:
                context.processPendingChanges()
                return "process"
            }
        }

        private func boundary(_ random: inout SeededGenerator, _ context: ManagedObjectContext) throws -> String {
            switch random.below(8) {
            case 0:
                context.rollback()
                return "rollback"
            case 1:
                try context.obtainPermanentIDs(
                    for: context.insertedObjects.compactMap { $0 as? ResultsEntry }.sorted { $0.id < $1.id })
                return "permanent"
            case 2, 3:
                do {
                    try context.save()
                } catch {
                    context.rollback()
                    return "refused save"
                }
                return "save"
            default:
                saves.withLock { $0.removeAll() }
                var draws = random
                let text = try other.performAndWait { context in
                    var texts: [String] = []
                    try context.refreshAllObjects()
                    for _ in 0..<(1 + draws.below(4)) {
                        switch draws.below(5) {
                        case 0: texts.append("insert \(insert(&draws, context).id)")
                        case 1:
                            if let entry = try any(&draws, context) {
                                texts.append("delete \(entry.id)")
                                entry.delete()
                            }
                        default:
                            if let entry = try any(&draws, context) {
                                edit(entry, &draws)
                                texts.append("edit \(entry.id)")
                            }
                        }
                    }
                    try context.save()
                    return "\(texts)"
                }
                random = draws
                for saved in saves.withLock({ $0 }) { context.merge(saved) }
                return "elsewhere \(text)"
            }
        }
    }

    @Sendable static func initial(of value: FilterValue) -> String {
        guard case .string(let text) = value else { return "" }
        return String(text.prefix(1))
    }
}
