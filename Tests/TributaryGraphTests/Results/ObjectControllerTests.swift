import Foundation
import Testing
import TributaryGraph
import TributaryTestSupport

/// Objects with notifications about their saves.
@MainActor @Suite struct ObjectControllerTests {
    private let manager: ContextManager
    private var context: ManagedObjectContext { manager.mainContext }

    init() throws { manager = try ContextManager(model: ResultsEntry.model(), store: .memory) }

    /// Records notifications, as the delegate and by closures.
    private final class Listener: ObjectControllerDelegate {
        private var calls: [String] = []

        init(_ controller: ObjectController<ResultsEntry>) {
            controller.delegate = self
            controller.onFetch = { [weak self] in self?.calls.append("fetched \(Array($1)) \($2 == nil)") }
            controller.onSave = { [weak self] in self?.calls.append("saved \(Array($1))") }
            controller.onInsertion = { [weak self] in self?.calls.append("inserted \(Array($1))") }
            controller.onDeletion = { [weak self] in self?.calls.append("deleted \(Array($1))") }
        }

        /// The calls since the last time, each of the delegate followed by that of the closure.
        func take() async -> [String] {
            await mainQueue()
            defer { calls = [] }
            #expect(calls.count.isMultiple(of: 2))
            let pairs = stride(from: 0, to: calls.count - 1, by: 2).map { (calls[$0], calls[$0 + 1]) }
            #expect(pairs.allSatisfy { $0 == "delegate \($1)" }, "\(calls)")
            return pairs.map(\.1)
        }

        func controller(_: ObjectController<ResultsEntry>, didFetch indexes: IndexSet, error: (any Error)?) {
            calls.append("delegate fetched \(Array(indexes)) \(error == nil)")
        }
        func controller(_: ObjectController<ResultsEntry>, didSave indexes: IndexSet) {
            calls.append("delegate saved \(Array(indexes))")
        }
        func controller(_: ObjectController<ResultsEntry>, didInsert indexes: IndexSet) {
            calls.append("delegate inserted \(Array(indexes))")
        }
        func controller(_: ObjectController<ResultsEntry>, didDelete indexes: IndexSet) {
            calls.append("delegate deleted \(Array(indexes))")
        }
    }

    private func controller(_ filter: Filter? = nil) throws -> (ObjectController<ResultsEntry>, Listener) {
        let request = FetchRequest<ResultsEntry>(where: filter, sort: [SortKey("rank")])
        let controller = ObjectController(request, in: context)
        return (controller, Listener(controller))
    }

    @Test("A fetch notifies of all objects, later on the main queue, or does not notify")
    func fetchesNotify() async throws {
        for id in 1...4 { ResultsEntry.make(id, rank: -id, in: context) }
        try context.save()
        let (controller, listener) = try controller()
        #expect(controller.objects == nil)
        #expect(throws: FetchError.self) { try controller.deleteObjects() }
        controller.filter = { $0.id != 2 }
        try controller.performFetch()
        #expect(controller.objects?.map(\.id) == [4, 3, 1])
        #expect(await listener.take() == ["fetched [0, 1, 2] true"])
        controller.filter = nil
        try controller.performFetch(notifying: false)
        #expect(await listener.take().isEmpty && controller.objects?.count == 4)
        let damaged = ObjectController(FetchRequest<ResultsEntry>(where: "nothing == 1"), in: context)
        let other = Listener(damaged)
        #expect(throws: FilterError.self) { try damaged.performFetch() }
        #expect(await other.take() == ["fetched [] false"])
    }

    @Test("Saves of this context and of others notify of updates, insertions and deletions")
    func savesNotify() async throws {
        let entries = (1...3).map { ResultsEntry.make($0, rank: $0 * 10, in: context) }
        try context.save()
        let (controller, listener) = try controller("rank < 100")
        try controller.performFetch(notifying: false)
        entries[1].note = "x"
        #expect(await listener.take().isEmpty)
        let special = context.insert(ResultsSpecialEntry.self)
        (special.id, special.rank) = (4, 15)
        #expect(controller.objects == entries, "unsaved objects are not added")
        try context.save()
        #expect(await listener.take() == ["inserted [1]", "saved [2]"])
        #expect(controller.objects?.map(\.id) == [1, 4, 2, 3])
        entries[0].note = "mine"
        try await manager.write { context in
            try ResultsEntry.find(["id": 1], in: context)?.title = "theirs"
            try ResultsEntry.find(["id": 2], in: context)?.rank = 200
            try ResultsEntry.find(["id": 3], in: context)?.delete()
            ResultsEntry.make(5, rank: 1, in: context)
            ResultsEntry.make(6, rank: 101, in: context)
        }
        #expect(await listener.take() == ["deleted [2, 3]", "inserted [0]", "saved [1]"])
        #expect(controller.objects?.map(\.id) == [5, 1, 4])
        #expect(entries[0].note == "mine" && entries[0].title == "theirs" && entries[0].isUpdated)
        try await manager.write { try ResultsEntry.find(["id": 6], in: $0)?.rank = 2 }
        #expect(await listener.take() == ["inserted [1]"], "an update that makes an object match")
        try controller.performFetch(notifying: false)
        #expect(controller.objects?.map(\.id) == [5, 6, 1, 4], "no object is listed twice")
    }

    @Test("Deleted objects leave with the save")
    func deletedObjectsLeave() async throws {
        for id in 1...3 { ResultsEntry.make(id, rank: id, in: context) }
        try context.save()
        let (controller, listener) = try controller("rank > 1")
        try controller.performFetch(notifying: false)
        try controller.deleteObjects()
        context.processPendingChanges()
        ResultsEntry.make(9, in: manager.mainContext)
        #expect(await listener.take().isEmpty && controller.objects?.count == 2)
        // A save elsewhere repeats the fetch, which no longer returns the objects.
        try await manager.write { _ = ResultsEntry.make(4, rank: 4, in: $0) }
        #expect(await listener.take() == ["inserted [2]"])
        try context.save()
        #expect(await listener.take() == ["deleted [0, 1]"] && controller.objects?.map(\.id) == [4])
    }

    @Test("A controller of passed objects follows their saves, and cannot fetch")
    func passedObjectsAreFollowed() async throws {
        #expect(ObjectController([ResultsEntry]()) == nil)
        let entries = (1...3).map { ResultsEntry.make($0, in: context) }
        try context.save()
        let controller = try #require(ObjectController(entries))
        let one = try #require(ObjectController(entries[0]))
        let (listener, other) = (Listener(controller), Listener(one))
        #expect(throws: FetchError.self) { try controller.performFetch(notifying: false) }
        ResultsEntry.make(4, in: context)
        try context.save()
        #expect(await listener.take().isEmpty)
        try await manager.write { context in
            for id in [1, 3] { try ResultsEntry.find(["id": id], in: context)?.note = "x" }
            try ResultsEntry.find(["id": 2], in: context)?.delete()
        }
        #expect(await listener.take() == ["deleted [1]", "saved [0, 1]"])
        #expect(await other.take() == ["saved [0]"] && controller.objects == [entries[0], entries[2]])
    }

    @Test("A request with a limit stays within it")
    func limitsHold() async throws {
        for id in 1...4 { ResultsEntry.make(id, rank: id, in: context) }
        try context.save()
        var request = FetchRequest<ResultsEntry>(sort: [SortKey("rank")])
        request.limit = 2
        let controller = ObjectController(request, in: context)
        let listener = Listener(controller)
        try controller.performFetch(notifying: false)
        try await manager.write { _ = ResultsEntry.make(5, rank: 0, in: $0) }
        #expect(await listener.take() == ["deleted [1]", "inserted [0]"])
        #expect(controller.objects?.map(\.id) == [5, 1])
    }
}
