import Testing
import TributaryGraph
import TributaryTestSupport

/// A sibling of clerks whose badges are unique among themselves; no other model has such siblings.
private final class Porter: Person {
    @Attribute(.unique) var badge: String?
}

/// Unique values that objects take from each other in one save.
@Suite("Moved unique values") struct UniqueValueTests {
    /// A clerk, its new ID and the number of its new badge.
    private typealias Move = [Int]

    /// Moves in their order; clerks 1 to 4 have badges of the same numbers, and ID 5 is that of a reader.
    private static let plans: [[Move]] = [
        [[2, 1, 2], [3, 7, 3]], [[3, 7, 3], [2, 1, 2]], [[2, 2, 1], [3, 7, 3]], [[2, 1, 2], [3, 2, 3]],
        [[3, 2, 3], [2, 1, 2]], [[2, 5, 2]], [[1, 2, 1], [2, 1, 2]],
    ]

    /// The moves of a case, random ones after the listed ones.
    private func plan(_ random: inout SeededGenerator, _ number: Int) -> [Move] {
        if number < Self.plans.count { return Self.plans[number] }
        return [1, 2, 3, 4].shuffled(using: &random).prefix(1 + random.below(4)).map { clerk in
            let (id, badge) = (1 + random.below(7), 1 + random.below(7))
            if id == clerk { return [clerk, id, 1 + clerk % 4] }
            return [clerk, id, random.pick([clerk, badge])]
        }
    }

    /// The IDs and badges after a save, and the index of the move that is refused, with the property that it repeats.
    private func outcome(of plan: [Move], _ policy: MergePolicy) -> (rows: [Int: Move], refusal: (Int, String)?) {
        let stored = [1: [1, 1], 2: [2, 2], 3: [3, 3], 4: [4, 4]]
        // All values that objects change are free before the first of them is written.
        var rows = stored.filter { row in !plan.contains { $0[0] == row.key } }
        func repeated(_ values: Move) -> String? {
            if values[0] == 5 || rows.values.contains(where: { $0[0] == values[0] }) { return "id" }
            return rows.values.contains { $0[1] == values[1] } ? "badge" : nil
        }
        for (index, move) in plan.enumerated() {
            var values = Array(move.dropFirst())
            if let property = repeated(values) {
                values = stored[move[0]] ?? []
                let storeWins = policy == .storeTrump || policy == .rollback
                guard storeWins, repeated(values) == nil else { return (stored, (index, property)) }
            }
            rows[move[0]] = values
        }
        return (rows, nil)
    }

    /// The IDs and badges of clerks, by their names.
    private func values(_ clerks: [Clerk]) -> [String] {
        clerks.map { "\($0.name ?? "-"): \($0.id) \($0.badge ?? "-")" }.sorted()
    }

    private func values(_ rows: [Int: Move]) -> [String] {
        rows.map { "c\($0.key): \($0.value[0]) b\($0.value[1])" }.sorted()
    }

    @Test("Objects exchange unique values unless another row keeps one", arguments: 0..<40, MergeCase.policies)
    func exchangedValues(_ number: Int, _ policy: MergePolicy) throws {
        var random = SeededGenerator.sampled(3_300, case: UInt64(number))
        let plan = plan(&random, number)
        let label = "\(plan), case \(number), seed \(random.seed)"
        let (rows, refusal) = outcome(of: plan, policy)
        let manager = try ContextManager.clerks()
        try manager.writeAndWait { context in
            for id in 1...4 { context.clerk(id, ["name": "c\(id)"], badge: "b\(id)") }
            context.insert(Reader.self).id = 5
        }
        func stored() throws -> [String] {
            try manager.newPrivateContext().performAndWait { try values(Clerk.all(in: $0)) }
        }
        try manager.inNewContext(merging: policy) { context in
            let clerks = try Clerk.all(in: context, sort: [SortKey("id")])
            let moved = plan.map { clerks[$0[0] - 1] }
            for (clerk, move) in zip(moved, plan) { (clerk.id, clerk.badge) = (move[1], "b\(move[2])") }
            if let (index, property) = refusal {
                let wanted = values(clerks)
                for _ in 0..<2 {
                    let error = #expect(throws: SaveError.self) { try context.save() }
                    #expect(error?.code == .uniqueness, "\(label)")
                    #expect(error?.conflicts.map(\.objectID) == [moved[index].objectID], "\(label)")
                    #expect(error?.conflicts.first?.uniqueProperties == [property], "\(label)")
                    #expect(values(clerks) == wanted && moved.allSatisfy(\.isUpdated), "\(label)")
                    #expect(try stored() == values(rows), "\(label)")
                }
                for (offset, clerk) in moved.enumerated() { (clerk.id, clerk.badge) = (20 + offset, "free \(offset)") }
            }
            try context.save()
            let expected = refusal == nil ? values(rows) : values(clerks)
            #expect(values(clerks) == expected && !context.hasChanges, "\(label)")
            #expect(try stored() == expected, "\(label)")
            // The context knows the versions of the rows.
            context.mergePolicy = .error
            for clerk in clerks { clerk.hours = 9 }
            try context.save()
        }
    }

    @Test(
        "An object is merged into a row of its own entity, not of a sibling", arguments: MergeCase.policies,
        [false, true])
    func valuesOfSiblings(_ policy: MergePolicy, _ isLoaded: Bool) throws {
        let manager = try ContextManager(
            model: Model(Author.self, Reader.self, Book.self, Series.self, Clerk.self, Porter.self), store: .memory)
        let ids = try manager.writeAndWait { context in
            let porter = context.insert(Porter.self)
            (porter.id, porter.badge, porter.name) = (1, "b", "old")
            try context.save()
            // The badge of the porter is free for a clerk.
            let clerk = context.clerk(2, ["name": "old"], badge: "b")
            try context.save()
            return [porter.objectID, clerk.objectID]
        }
        try manager.inNewContext(merging: policy) { context in
            let porter = try isLoaded ? Porter.first(in: context) : nil
            let clerk = context.clerk(3, ["name": "new"], badge: "b")
            if policy == .error {
                let error = #expect(throws: SaveError.self) { try context.save() }
                #expect(error?.conflicts.map(\.objectID) == [clerk.objectID] && clerk.isInserted)
                #expect(error?.code == .uniqueness && error?.conflicts.first?.uniqueProperties == ["badge"])
                return
            }
            try context.save()
            let name = policy == .objectTrump || policy == .overwrite ? "new" : "old"
            #expect(clerk.objectID == ids[1] && clerk.name == name && !context.hasChanges)
            #expect(try Clerk.all(in: context) == [clerk] && Porter.all(in: context).map(\.objectID) == [ids[0]])
            if let porter { #expect(porter.context === context && porter.name == "old") }
            clerk.hours = 9
            try context.save()
        }
        #expect(try manager.newPrivateContext().performAndWait { try Person.count(in: $0) } == 2)
    }
}
