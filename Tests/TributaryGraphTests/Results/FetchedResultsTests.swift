import Foundation
import Testing
import TributaryGraph
import TributaryTestSupport

/// What a controller has, tells and refuses.
@MainActor @Suite struct FetchedResultsTests {
    private let manager: ContextManager
    private var context: ManagedObjectContext { manager.mainContext }

    init() throws { manager = try ContextManager(model: ResultsEntry.model(), store: .memory) }

    @discardableResult
    private func entry(_ id: Int, _ group: String? = nil, rank: Int = 0, title: String? = nil) -> ResultsEntry {
        ResultsEntry.make(id, group, rank: rank, title: title, in: context)
    }

    private func controller(
        _ filter: Filter? = nil, sections: Bool = true
    ) throws -> FetchedResultsController<ResultsEntry> {
        let request = FetchRequest<ResultsEntry>(where: filter, sort: [SortKey("group"), SortKey("rank")])
        let controller = try FetchedResultsController(
            request, in: context, sectionKeyPath: sections ? "group" : nil)
        try controller.performFetch()
        return controller
    }

    /// Changes an entry, found by its ID, in another context, and waits until the main context has merged it.
    private func elsewhere(_ body: @escaping @Sendable (ManagedObjectContext) throws -> Void) async throws {
        try await manager.write(body)
    }

    // MARK: Results

    @Test("A controller has the objects of a request in sections, and finds them by place")
    func resultsAreInSections() throws {
        for (id, group) in [(1, "b"), (2, "a"), (3, "b"), (4, nil)] { entry(id, group, rank: 10 - id) }
        try context.save()
        let unsaved = entry(5, "a", rank: 0)
        let results = try controller()
        #expect(results.sections.map(\.name) == ["", "a", "b"] && results.sections.map(\.count) == [1, 2, 2])
        #expect(results.fetchedObjects.map(\.id) == [4, 5, 2, 3, 1] && results.count == 5)
        #expect(results.objects(inSection: 2).map(\.id) == [3, 1])
        #expect(results.object(at: ResultsIndexPath(section: 1, item: 0)) === unsaved)
        #expect(results.indexPath(for: unsaved) == ResultsIndexPath(section: 1, item: 0))
        try context.save()
        #expect(results.indexPath(for: unsaved) == ResultsIndexPath(section: 1, item: 0))
        #expect(results.ids == results.fetchedObjects.map(\.objectID) && !results.ids.contains(where: \.isTemporary))
        #expect(results.indexPath(for: entry(6, "a")) == nil)
        let plain = try controller("rank > 100", sections: false)
        #expect(plain.sections.map(\.count) == [0] && plain.fetchedObjects.isEmpty && plain.sectionIndexTitles.isEmpty)
    }

    @Test("Index titles are the first letters, folded and in upper case, or made by a closure")
    func indexTitlesAreFirstLetters() throws {
        for (id, group) in ["élan", "echo", "zebra", "", "ß"].enumerated() { entry(id, group) }
        let results = try controller()
        #expect(results.sections.map(\.indexTitle) == ["", "E", "Z", "SS", "E"])
        #expect(results.sectionIndexTitles == ["", "E", "Z", "SS"])
        #expect(results.section(forIndexTitle: "E") == 1 && results.section(forIndexTitle: "Q") == nil)
        results.indexTitle = { $0.isEmpty ? nil : "\($0.utf8.count)" }
        #expect(results.sectionIndexTitles == ["4", "5", "2"])
        #expect(results.section(forIndexTitle: "5") == 2)
    }

    @Test("Sections may be named by a closure of the first sort value")
    func sectionsAreNamedByAClosure() throws {
        for (id, group) in ["apple", "Avocado", "banana"].enumerated() { entry(id, group) }
        let request = FetchRequest<ResultsEntry>(sort: [SortKey("group", options: .caseInsensitive)])
        let results = try FetchedResultsController(request, in: context, sectionKeyPath: "group") { value in
            guard case .string(let text) = value else { return "" }
            return text.prefix(1).uppercased()
        }
        try results.performFetch()
        #expect(results.sections.map(\.name) == ["A", "B"] && results.sections.map(\.count) == [2, 1])
    }

    @Test("Requests that cannot be followed are refused with what to do")
    func impossibleRequestsAreRefused() throws {
        let context = context
        func refusal(_ request: FetchRequest<ResultsEntry>, _ sections: String? = nil) -> String {
            do {
                _ = try FetchedResultsController(request, in: context, sectionKeyPath: sections)
                return "accepted"
            } catch { return "\(error)" }
        }
        #expect(refusal(FetchRequest()).contains("add a sort key"))
        #expect(
            refusal(FetchRequest(sort: [SortKey("rank"), SortKey("group")]), "group").contains("sort by group first"))
        var limited = FetchRequest<ResultsEntry>(sort: [SortKey("rank")])
        limited.limit = 3
        #expect(refusal(limited).contains("no limit"))
        #expect(refusal(FetchRequest(entity: "Nothing", sort: [SortKey("rank")])).contains("no entity Nothing"))
        #expect(throws: ContextError.self) {
            try FetchedResultsController(
                FetchRequest<ResultsSpecialEntry>(entity: "ResultsEntry", sort: [SortKey("rank")]), in: context)
        }
        let unknown = try FetchedResultsController(
            FetchRequest<ResultsEntry>(sort: [SortKey("nothing")]), in: context)
        #expect(throws: FilterError.self) { try unknown.performFetch() }
        #expect(unknown.count == 0)
    }

    @Test("Neighbours of an object are loaded with it, and long lists are not kept in memory")
    func neighboursAreLoadedTogether() async throws {
        try await elsewhere { context in for id in 0..<1000 { ResultsEntry.make(id, rank: id, in: context) } }
        let results = try controller(sections: false)
        #expect(context.registeredObjects.isEmpty)
        for item in 0..<200 { #expect(results.object(at: ResultsIndexPath(item: item)).rank == item) }
        #expect(context.registeredObjects.count == 150)
        let all = results.fetchedObjects
        #expect(all.count { $0.isFault } == 850 && all[999].rank == 999)
    }

    // MARK: Changes

    @Test("Each kind of change is reported with its places")
    func eachKindOfChange() throws {
        let entries = (1...6).map { entry($0, rank: $0 * 10) }
        try context.save()
        let results = try controller(sections: false)
        let copy = ResultsCopy(results)
        entries[1].note = "changed"
        #expect(copy.take(processing: context) == ["~0.1"])
        entries[1].rank = 45
        #expect(copy.take(processing: context) == ["0.1>0.3"], "rows that only shift are not reported")
        entries[1].rank = 46
        #expect(copy.take(processing: context) == ["~0.3"], "a changed sort key that leaves the place is an update")
        entry(7, rank: 5)
        #expect(copy.take(processing: context) == ["+0.0"])
        entries[0].delete()
        #expect(copy.take(processing: context) == ["-0.1"])
        // Two insertions, a deletion, a move and two updates at once.
        entry(8, rank: 1)
        entry(9, rank: 99)
        entries[2].delete()
        entries[5].rank = 2
        (entries[3].note, entries[4].note) = ("x", "y")
        #expect(copy.take(processing: context) == ["-0.1 +0.0 +0.6 0.5>0.1 ~0.2 ~0.4"])
        try context.save()
        #expect(copy.take(processing: context).isEmpty, "a save changes nothing that was not reported")
        try context.refresh(entries[4], mergeChanges: false)
        #expect(copy.take(processing: context) == ["~0.5"], "a refreshed object counts as updated")
        entry(10, rank: 3).delete()
        #expect(copy.take(processing: context).isEmpty)
        entries[4].rank = 0
        context.processPendingChanges()
        context.rollback()
        #expect(copy.take() == ["0.5>0.0", "0.0>0.5"])
        #expect(copy.sections == ResultsCopy.sections(of: results))
    }

    @Test("Sections are reported before objects, deletions first")
    func sectionsAreToldFirst() throws {
        let entries = [(1, "a"), (2, "b"), (3, "c")].map { entry($0, $1) }
        try context.save()
        let results = try controller()
        let teller = Teller()
        results.delegate = teller
        let copy = ResultsCopy(results)
        for entry in entries[1...] { entry.group = "d" }
        #expect(copy.take(processing: context) == ["-§b -§c +§d 1.0>1.0 2.0>1.1"])
        #expect(
            teller.take() == ["will 2", "-b", "-c", "+d", "move", "move", "did 2"], "the state is new at the first")
        entries[0].delete()
        #expect(copy.take(processing: context) == ["-§a -0.0"])
        #expect(teller.take() == ["will 1", "-a", "delete", "did 1"])
        let other = manager.mainContext.insert(ResultsSpecialEntry.self)
        other.id = 9
        try context.save()
        #expect(teller.take() == ["will 2", "+", "insert", "did 2"])
        context.reset()
        #expect(teller.take().isEmpty && results.sections.count == 2, "stale until the next fetch")
        try results.performFetch()
        #expect(teller.take().isEmpty && results.fetchedObjects.map(\.id) == [9, 2, 3])
    }

    private final class Teller: FetchedResultsControllerDelegate {
        private var calls: [String] = []

        func take() -> [String] {
            defer { calls = [] }
            return calls
        }

        func controllerWillChange(_ controller: FetchedResultsController<ResultsEntry>) {
            calls.append("will \(controller.sections.count)")
        }
        func controller(_: FetchedResultsController<ResultsEntry>, didDelete section: ResultsChange.Section) {
            calls.append("-\(section.name)")
        }
        func controller(_: FetchedResultsController<ResultsEntry>, didInsert section: ResultsChange.Section) {
            calls.append("+\(section.name)")
        }
        func controller(_: FetchedResultsController<ResultsEntry>, didChange object: ResultsChange.Object) {
            calls.append("\(object.kind)")
        }
        func controllerDidChange(_ controller: FetchedResultsController<ResultsEntry>) {
            calls.append("did \(controller.sections.count)")
        }
        func controllerDidReload(_: FetchedResultsController<ResultsEntry>) { calls.append("reload") }
    }

    @Test("A section name that returns reloads")
    func repeatedSectionsReload() throws {
        let entries = [(1, "a1"), (2, "b1"), (3, "b2")].map { entry($0, $1) }
        let request = FetchRequest<ResultsEntry>(sort: [SortKey("group")])
        let results = try FetchedResultsController(request, in: context, sectionKeyPath: "group") { value in
            guard case .string(let text) = value else { return "" }
            return String(text.suffix(1))
        }
        try results.performFetch()
        let copy = ResultsCopy(results)
        #expect(results.sections.map(\.name) == ["1", "2"])
        entries[2].group = "a2"
        #expect(copy.take(processing: context) == ["reload"] && results.sections.map(\.name) == ["1", "2", "1"])
        entries[2].group = "c2"
        #expect(copy.take(processing: context) == ["reload"] && results.sections.map(\.name) == ["1", "2"])
        entries[2].note = "x"
        #expect(copy.take(processing: context) == ["~1.0"])
    }

    @Test("Changes made by an observer are reported after the change that it observes")
    func observersMayChangeObjects() throws {
        let first = entry(1, rank: 1)
        let results = try controller(sections: false)
        let context = context
        var isNew = true
        let observation = results.observe { _ in
            guard isNew else { return }
            isNew = false
            first.rank = 0
            context.processPendingChanges()
        }
        let copy = ResultsCopy(results)
        entry(2, rank: 2)
        #expect(
            copy.take(processing: context) == ["+0.1", "~0.0"] && copy.sections == ResultsCopy.sections(of: results))
        withExtendedLifetime(observation) {}
        _ = consume observation
    }

    // MARK: Other contexts

    @Test("An update elsewhere that makes an object match that is not in memory inserts it once")
    func anUpdateElsewhereInsertsOnce() async throws {
        let results = try controller("group == \("rock")", sections: false)
        let (teller, copy) = (Teller(), ResultsCopy(results))
        results.delegate = teller
        try await elsewhere { ResultsEntry.make(1, "jazz", in: $0) }
        #expect(teller.take().isEmpty && context.registeredObjects.isEmpty)
        try await elsewhere { try ResultsEntry.find(["id": 1], in: $0)?.group = "rock" }
        #expect(teller.take() == ["will 1", "insert", "did 1"] && copy.take() == ["+0.0"])
        try await elsewhere { try ResultsEntry.find(["id": 1], in: $0)?.note = "again" }
        #expect(copy.take() == ["~0.0"])
        try await elsewhere { try ResultsEntry.find(["id": 1], in: $0)?.group = "jazz" }
        #expect(copy.take() == ["-0.0"] && results.count == 0)
    }

    @Test("A controller of a private context follows on its queue")
    func privateContextsAreFollowed() async throws {
        let (one, other) = (manager.newPrivateContext(), manager.newPrivateContext())
        try await one.perform { context in
            context.mergesAutomatically = true
            let controller = try FetchedResultsController(
                FetchRequest<ResultsEntry>(sort: [SortKey("rank")]), in: context)
            try controller.performFetch()
            let copy = ResultsCopy(controller)
            ResultsEntry.make(1, rank: 4, in: context)
            #expect(copy.take(processing: context) == ["+0.0"])
            try context.save()
            context.userInfo["copy"] = Held(copy: copy, controller: controller)
        }
        try await other.perform { context in
            ResultsEntry.make(2, rank: 3, in: context)
            try context.save()
        }
        try await one.perform { context in
            let held = try #require(context.userInfo["copy"] as? Held)
            #expect(held.copy.take() == ["+0.0"] && held.controller.fetchedObjects.map(\.id) == [2, 1])
            context.userInfo = [:]
        }
    }

    /// What is used on the queue of its context alone.
    private struct Held: @unchecked Sendable {
        let copy: ResultsCopy
        let controller: FetchedResultsController<ResultsEntry>
    }

    @Test("A child context follows the changes that it makes")
    func childContextsAreFollowed() throws {
        entry(1, rank: 1)
        let child = context.scratchChild()
        let controller = try FetchedResultsController(FetchRequest<ResultsEntry>(sort: [SortKey("rank")]), in: child)
        try controller.performFetch()
        let copy = ResultsCopy(controller)
        let new = ResultsEntry.make(2, rank: 0, in: child)
        try child.save()
        #expect(copy.take() == ["+0.0"] && controller.fetchedObjects.map(\.id) == [2, 1])
        try context.save()
        new.rank = 5
        #expect(copy.take(processing: child) == ["0.0>0.1"] && controller.fetchedObjects.map(\.id) == [1, 2])
        #expect(controller.ids == controller.fetchedObjects.map(\.objectID))
        child.rollback()
    }

    @Test("Many rows of another context are merged in slices")
    func manyRowsAreMergedInSlices() async throws {
        let results = try controller(sections: false)
        let copy = ResultsCopy(results)
        try await elsewhere { context in for id in 0..<1000 { ResultsEntry.make(id, rank: -id, in: context) } }
        while !results.isUpToDate { await mainQueue() }
        #expect(copy.changes.map(\.objects.count) == [256, 256, 256, 232])
        #expect(copy.sections == ResultsCopy.sections(of: results))
        #expect(context.registeredObjects.isEmpty || copy.sections.count == 1)
    }

    @Test("More rows than the threshold are fetched again, and told as one reload")
    func moreRowsThanTheThresholdReload() async throws {
        let kept = entry(1, rank: 7)
        try context.save()
        let results = try controller("rank >= 0", sections: false)
        results.reloadThreshold = 100
        let copy = ResultsCopy(results)
        try await elsewhere { context in for id in 2..<500 { ResultsEntry.make(id, rank: id % 3 - 1, in: context) } }
        // Both are made while the results are fetched, which the fetched results may not have.
        let unsaved = entry(1000, rank: 0)
        kept.rank = 0
        context.processPendingChanges()
        try await elsewhere { ResultsEntry.make(1001, rank: 1, in: $0) }
        while !results.isUpToDate { await mainQueue() }
        try context.save()
        #expect(results.indexPath(for: unsaved) != nil && copy.changes.count { $0.isReload } == 1)
        let request = results.request
        let expected = try context.fetch(request)
        #expect(results.fetchedObjects == expected)
        #expect(copy.sections == ResultsCopy.sections(of: results) && results.count == 500 - 166 + 2 - 1)
    }

    @Test("Results may be fetched on another thread, and come as a reload")
    func fetchesInTheBackground() async throws {
        for id in 1...20 { entry(id, id.isMultiple(of: 2) ? "a" : "b", rank: id) }
        try context.save()
        let request = FetchRequest<ResultsEntry>(sort: [SortKey("group"), SortKey("rank")])
        let results = try FetchedResultsController(request, in: context, sectionKeyPath: "group")
        let copy = ResultsCopy(results)
        try results.performFetchInBackground()
        #expect(results.count == 0 && !results.isUpToDate)
        entry(21, "c")
        context.processPendingChanges()
        while !results.isUpToDate { await mainQueue() }
        #expect(copy.take() == ["+§c +0.0", "reload"] && copy.sections.map(\.name) == ["a", "b", "c"])
        let expected = try context.fetch(request)
        #expect(results.fetchedObjects == expected)
    }

    @Test("Changes made while results are fetched again are not lost", arguments: 0..<40)
    func reloadsLoseNothing(_ number: UInt64) async throws {
        var random = SeededGenerator.sampled(19, case: number)
        let results = try controller("rank > 2")
        results.reloadThreshold = random.below(12)
        let copy = ResultsCopy(results)
        var lastID = 0
        for _ in 0..<(3 + random.below(8)) {
            let (first, count, seed) = (lastID + 1, 1 + random.below(20), random.next())
            lastID += count
            try await elsewhere { context in
                var random = SeededGenerator(seed: seed)
                for id in first..<first + count {
                    ResultsEntry.make(id, random.pick(["a", "b", "c"]), rank: random.below(6), in: context)
                }
                for entry in try ResultsEntry.all(in: context) where random.once(in: 3) {
                    if random.once(in: 4) { entry.delete() } else { entry.rank = random.below(6) }
                }
            }
            for _ in 0..<random.below(5) {
                lastID += 1
                let new = entry(lastID, random.pick(["a", "d"]), rank: random.below(6))
                if random.once(in: 3) { new.delete() }
                if let old = results.fetchedObjects.randomElement(using: &random) {
                    if random.once(in: 2) { old.group = "c" } else { old.delete() }
                }
                if random.once(in: 2) { context.processPendingChanges() }
            }
            // Rows that another context changed since they were loaded here refuse the save.
            if random.once(in: 2), (try? context.save()) == nil { context.rollback() }
            if random.once(in: 3) { await mainQueue() }
        }
        context.processPendingChanges()
        repeat { await mainQueue() } while !results.isUpToDate
        #expect(copy.sections == ResultsCopy.sections(of: results), "seed \(random.seed), case \(number)")
        let expected = try context.fetch(results.request)
        #expect(results.fetchedObjects == expected, "seed \(random.seed), case \(number)")
    }

    // MARK: Sequences

    @Test("A loop over the changes gets each change, or a reload if it falls behind")
    func changesAreASequence() async throws {
        var results: FetchedResultsController<ResultsEntry>? = try controller(sections: false)
        let changes = try #require(results).changes
        entry(1)
        context.processPendingChanges()
        entry(2)
        context.processPendingChanges()
        var loop = changes.makeAsyncIterator()
        #expect(ResultsCopy.text(try #require(await loop.next())) == "+0.0")
        #expect(ResultsCopy.text(try #require(await loop.next())) == "+0.1")
        for id in 0..<ResultsChangeSequence.bound { entry(id + 10) }
        context.processPendingChanges()
        entry(3)
        context.processPendingChanges()
        let late = try #require(await loop.next())
        #expect(late.isReload && late.revision < results?.revision ?? 0)
        let next = try #require(await loop.next())
        #expect(next.revision == results?.revision && next.objects.count == 1)
        results = nil
        #expect(await loop.next() == nil)
    }
}
