import Testing
import Tributary
import TributaryTestSupport

/// Batches of random setters, compared with a fetch, a setter and a save for each record.
@Suite struct InsertOrUpdateOracleTests {
    /// What a setter does to its record.
    private enum Deed: CaseIterable {
        case set, set2, nothing, link, unlink, linkOther, orderShelf, makeMaker, throwing, bounds, deleteIt, changeKey
        case makeTaken, makeFree, deleteOther, kin, lookUp
    }

    private struct Step {
        let id: Int
        let deed: Deed
        let number: Int
    }

    /// The setter of both computations.
    private static func act(_ step: Step, _ item: Item, _ context: ManagedObjectContext) throws {
        func maker(_ number: Int) throws -> Maker {
            try Maker.findOrInsert(["code": "m\(number % 3)"], in: context)
        }
        switch step.deed {
        case .set: item.name = "n\(step.number % 4)"
        case .set2: (item.name, item.rank) = ("n\(step.number % 4)", step.number % 100)
        case .nothing: break
        case .link: item.maker = try maker(step.number)
        case .unlink: item.maker = nil
        case .linkOther: try maker(step.number).items.insert(item)
        case .orderShelf:
            let shelf = try Shelf.findOrInsert(["number": 1], in: context)
            shelf.makers.insert(try maker(step.number), at: 0)
            if step.number % 5 == 0 { throw Refusal() }
        case .makeMaker:
            try maker(step.number).name = "x\(step.number)"
            if step.number % 3 == 0 { throw Refusal() }
        case .throwing:
            item.name = "wrong"
            try maker(step.number).items.removeAll()
            item.maker = try maker(step.number + 1)
            throw Refusal()
        case .bounds:
            item.maker = try maker(step.number)
            item.rank = -1
        case .deleteIt:
            item.maker = try maker(step.number)
            item.delete()
        case .changeKey: item.id = 1000 + step.number
        case .makeTaken:
            item.name = "wrong"
            let other = context.insert(Item.self)
            other.id = step.id
        case .makeFree:
            let other = context.insert(Item.self)
            (other.id, other.maker) = (5000 + step.number, try maker(step.number))
        case .deleteOther:
            try Item.find(["id": step.id + 1], in: context)?.delete()
            if step.number % 2 == 0 { throw Refusal() }
        case .kin:
            if let other = try Item.find(["id": step.id + 1], in: context) { item.kin.insert(other) }
            if step.number % 4 == 0 { throw Refusal() }
        case .lookUp:
            item.name = "n\(step.number % 4)"
            _ = try Item.count(in: context, where: "name == 'n1'")
        }
    }

    private static func picture(_ context: ManagedObjectContext) throws -> [String] {
        try Item.fetch(in: context, sort: [SortKey("id")]).map { item in
            "\(item.id) \(item.name ?? "-") \(item.rank) \(item.maker?.code ?? "-") \(item.kin.map(\.id).sorted())"
        }
            + Maker.fetch(in: context, sort: [SortKey("code")]).map { maker in
                "\(maker.code) \(maker.name ?? "-") \(maker.items.map(\.id).sorted()) \(maker.shelf?.number ?? 0)"
            }
            + Shelf.all(in: context).map { "\($0.number) \($0.makers.map(\.code))" }
    }

    /// Applies one record in a context of its own; nil if a known object was accepted, changed or not.
    private static func naive(_ step: Step, _ mode: ImportMode, _ shop: Shop) throws -> RecordOutcome? {
        try shop.work { context in
            let known = try Item.find(["id": step.id], in: context)
            switch (mode, known == nil) {
            case (.insert, false): return .duplicate
            case (.ignore, false), (.update, true): return .skipped
            default: break
            }
            let item = known ?? context.insert(Item.self)
            item.id = step.id
            if mode == .replace { (item.name, item.rank, item.note) = (nil, 1, "new") }
            do {
                try act(step, item, context)
            } catch {
                return .rejected
            }
            if item.isDeleted || item.context == nil || item.id != step.id { return .rejected }
            let ids = try Item.all(in: context).map(\.id)
            if Set(ids).count != ids.count { return .rejected }
            do {
                try context.save()
            } catch is SaveError {
                return .rejected
            }
            return known == nil ? .inserted : nil
        }
    }

    @Test("Batches of random setters have the result of one record at a time", arguments: 0..<60)
    func sameAsOneByOne(seed: UInt64) throws {
        var random = SeededGenerator.sampled(1_000, case: seed)
        let mode = seed % 3 == 0 ? random.pick(ImportMode.allCases) : .upsert
        let steps = (0..<40 + random.below(60)).map { number in
            Step(id: random.below(25), deed: random.pick(Deed.allCases), number: number)
        }
        let size = 1 + random.below(30)
        let (one, other) = (try Shop(), try Shop())
        let expected = try steps.map { try InsertOrUpdateOracleTests.naive($0, mode, one) }
        var outcomes: [RecordOutcome] = []
        for start in stride(from: 0, to: steps.count, by: size) {
            let part = Array(steps[start..<min(start + size, steps.count)])
            try other.work { context in
                let records = try RecordList(json: "[\(part.map { "\($0.id)" }.joined(separator: ","))]")
                let result = try Item.insertOrUpdate(
                    records, key: \.id, remoteKey: .`self`, mode: mode, in: context
                ) { record, item in
                    try InsertOrUpdateOracleTests.act(part[record.number - 1], item, context)
                }
                outcomes += result.outcomes
                try context.save()
            }
        }
        for (index, outcome) in outcomes.enumerated() {
            let wanted = expected[index].map { [$0] } ?? [.updated, .unchanged]
            #expect(wanted.contains(outcome), "seed \(seed), record \(index), \(steps[index].deed), batches of \(size)")
        }
        let wanted = try one.work { try InsertOrUpdateOracleTests.picture($0) }
        #expect(
            try other.work { try InsertOrUpdateOracleTests.picture($0) } == wanted, "seed \(seed), batches of \(size)")
    }

    @Test("The outcome of a record does not depend on the batch size", arguments: 0..<20)
    func countsDoNotDependOnBatches(seed: UInt64) throws {
        var random = SeededGenerator.sampled(2_000, case: seed)
        let deeds: [Deed] = [.set, .set2, .nothing, .unlink, .throwing, .bounds, .deleteIt, .changeKey]
        let steps = (0..<80).map { Step(id: random.below(20), deed: random.pick(deeds), number: $0) }
        var seen: [[RecordOutcome]] = []
        for size in [1, 7, 80] {
            let shop = try Shop()
            var outcomes: [RecordOutcome] = []
            for start in stride(from: 0, to: steps.count, by: size) {
                let part = Array(steps[start..<min(start + size, steps.count)])
                try shop.work { context in
                    let records = try RecordList(json: "[\(part.map { "\($0.id)" }.joined(separator: ","))]")
                    outcomes += try Item.insertOrUpdate(records, key: \.id, remoteKey: .`self`, in: context) {
                        try InsertOrUpdateOracleTests.act(part[$0.number - 1], $1, context)
                    }
                    .outcomes
                    try context.save()
                }
            }
            seen.append(outcomes)
        }
        #expect(seen[0] == seen[1], "seed \(seed)")
        #expect(seen[0] == seen[2], "seed \(seed)")
    }
}
