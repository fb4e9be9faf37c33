import Testing
import TributaryGraph
import TributaryJSON
import TributaryTestSupport

import Tributary

/// Random dictionaries of three classes with cascades, compared with `CRUDOracle`.
@Suite("CRUD and an oracle") struct CRUDOracleTests {
    private static func nodes(_ generator: inout SeededGenerator, _ level: Int = 0) -> [CRUDNode] {
        (0..<generator.below(level == 0 ? 6 : 4)).map { _ in
            CRUDNode(
                key: "\(generator.below(7))", value: generator.below(6) - (level == 0 ? 1 : 0),
                stamp: generator.below(3),
                children: level == 2 || generator.once(in: 4) ? nil : nodes(&generator, level + 1))
        }
    }

    /// The objects of a context, in the form of the oracle.
    private static func things(_ context: ManagedObjectContext) throws -> [[String: CRUDOracle.Thing]] {
        func byKey(_ things: [(String, CRUDOracle.Thing)]) throws -> [String: CRUDOracle.Thing] {
            let found = Dictionary(things, uniquingKeysWith: { one, _ in one })
            try #require(found.count == things.count)
            return found
        }
        let books = try CRUDBook.all(in: context).map { book in
            (book.name, CRUDOracle.Thing(value: book.order ?? 0, stamp: book.stamp ?? 0))
        }
        let pages = try CRUDPage.all(in: context).map { page in
            (page.code, CRUDOracle.Thing(value: page.text.flatMap { Int($0) } ?? 0, stamp: 0, parent: page.book?.name))
        }
        let images = try CRUDImage.all(in: context).map { image in
            (image.url, CRUDOracle.Thing(value: image.size ?? 0, stamp: 0, parent: image.page?.code))
        }
        return [try byKey(books), try byKey(pages), try byKey(images)]
    }

    private static func withoutStamps(_ things: [[String: CRUDOracle.Thing]]) -> [[String: CRUDOracle.Thing]] {
        [things[0]]
            + things.dropFirst().map { level in
                level.mapValues { CRUDOracle.Thing(value: $0.value, stamp: 0, parent: $0.parent) }
            }
    }

    private static func seen(_ context: ManagedObjectContext) throws -> [Set<String>] {
        [
            Set(try CRUDBook.all(in: context).filter(context.isSeen).map(\.name)),
            Set(try CRUDPage.all(in: context).filter(context.isSeen).map(\.code)),
            Set(try CRUDImage.all(in: context).filter(context.isSeen).map(\.url)),
        ]
    }

    @Test("States, objects, marks and removals equal those of the oracle", arguments: 0..<12)
    func equalsTheOracle(number: UInt64) throws {
        var generator = SeededGenerator.sampled(71, case: number)
        print("seed \(generator.seed), case \(number)")
        let stage = try CRUDStage()
        var oracle = CRUDOracle()
        for _ in 0..<12 {
            let saved = oracle
            let (isKept, isChild) = (!generator.once(in: 5), generator.once(in: 3))
            (oracle.allowUpdate, oracle.needForcedUpdate) = (!generator.once(in: 4), generator.once(in: 6))
            stage.manager.crud.allowUpdate = oracle.allowUpdate
            stage.manager.crud.needForcedUpdate = oracle.needForcedUpdate
            let parent = stage.manager.newPrivateContext()
            try (isChild ? parent.child() : parent).performAndWait { context throws in
                for _ in 0..<6 {
                    switch generator.below(10) {
                    case 0: #expect(try context.removeDeprecated() == oracle.removeDeprecated())
                    case 1:
                        let level = generator.below(3)
                        let count =
                            switch level {
                            case 0: try context.removeDeprecated(of: CRUDBook.self)
                            case 1: try context.removeDeprecated(of: CRUDPage.self)
                            default: try context.removeDeprecated(of: CRUDImage.self)
                            }
                        #expect(count == oracle.removeDeprecated(level))
                    case 2:
                        context.forgetMarks()
                        oracle.forget()
                    case 3:
                        context.forgetMarks(of: CRUDPage.self)
                        oracle.forget(1)
                    case 4:
                        guard isKept else { break }
                        try context.save()
                        // The marks are in the parent, and not in the store.
                        if !isChild { oracle.save() }
                    default:
                        let nodes = Self.nodes(&generator)
                        let text = "[\(nodes.map { $0.text(0) }.joined(separator: ","))]"
                        var states: [CRUDState] = []
                        let objects = try context.crud(CRUDBook.self, json: text) { _, state in states.append(state) }
                        let expected = nodes.map { oracle.crud($0) }
                        #expect(states == expected && objects.count == expected.count { $0 != .deleted }, "\(text)")
                    }
                    #expect(try Self.things(context) == Self.withoutStamps(oracle.things))
                    #expect(try Self.seen(context) == oracle.marks)
                }
                if isKept { try context.saveToStore() } else { context.rollback() }
            }
            if isKept { oracle.save() } else { oracle = saved }
            oracle.begin()
            try stage.work { context throws in
                #expect(try Self.things(context) == Self.withoutStamps(oracle.things))
                #expect(try Self.seen(context) == oracle.marks)
            }
        }
    }
}
