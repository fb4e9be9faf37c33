import Foundation
import Testing
import TributaryConcurrency
import TributaryTestSupport

import Tributary

/// Operations in queues: dependencies, failures, cancellation, and completion on the main queue.
@Suite struct OperationTests {
    private let items: ItemStore

    init() throws { items = try ItemStore() }

    private struct Refusal: Error {}

    /// Inserts an item, and then calls a closure.
    private final class Adding: ContextOperation, @unchecked Sendable {
        private let id: Int
        private let what: @Sendable (Adding, ManagedObjectContext) throws -> Void

        init(
            _ manager: ContextManager, _ id: Int,
            _ what: @escaping @Sendable (Adding, ManagedObjectContext) throws -> Void = {
                $0.completeAndSave(); _ = $1
            }
        ) {
            self.id = id
            self.what = what
            super.init(manager)
        }

        override func performWork(in context: ManagedObjectContext) throws {
            let item = context.insert(FeedItem.self)
            (item.id, item.name) = (id, "item")
            try what(self, context)
        }
    }

    private func ids() throws -> [String] {
        try items.rows().compactMap { $0.split(separator: " ").dropFirst().first.map(String.init) }
    }

    private func run(_ operations: [Operation]) {
        let queue = OperationQueue()
        queue.addOperations(operations, waitUntilFinished: true)
    }

    // MARK: One operation

    @Test("An operation saves its work")
    func savesItsWork() throws {
        let adding = Adding(items.manager, 1)
        run([adding])
        #expect(adding.hasSucceeded && adding.error == nil && adding.isFinished)
        #expect(try ids() == ["1"])
    }

    @Test("An error that an operation throws is its error, and nothing is saved")
    func whatItThrowsIsItsError() throws {
        let failing = Adding(items.manager, 1) { _, _ in throw Refusal() }
        run([failing])
        #expect(!failing.hasSucceeded && failing.error is Refusal && failing.isFinished)
        #expect(try ids() == [])
    }

    @Test("A save that fails is the error of its operation")
    func aSaveThatFailsIsAnError() throws {
        try items.take("[{\"id\":1,\"name\":\"a\"}]")
        let double = Adding(items.manager, 1)
        run([double])
        #expect(!double.hasSucceeded && double.error != nil && double.isFinished)
        #expect(try ids() == ["1"])
    }

    @Test("An operation that never completes its work fails with a misuse error")
    func workThatIsNotSavedIsAnError() throws {
        let forgetful = Adding(items.manager, 1) { _, _ in }
        run([forgetful])
        #expect((forgetful.error as? ImportError)?.code == .misuse)
        #expect(try ids() == [])
    }

    @Test("An operation with several errors reports all of them")
    func severalErrorsAreTold() {
        let failing = Adding(items.manager, 1) { operation, _ in
            operation.addError(Refusal())
            operation.addError(nil)
            throw Refusal()
        }
        run([failing])
        #expect(failing.errors.count == 2 && (failing.error as? OperationErrors)?.errors.count == 2)
    }

    @Test("An operation in the main queue is cancelled with a misuse error")
    func theMainQueueIsRefused() async throws {
        let adding = Adding(items.manager, 1)
        await withCheckedContinuation { continuation in
            adding.completionBlock = { continuation.resume() }
            OperationQueue.main.addOperation(adding)
        }
        #expect((adding.error as? ImportError)?.code == .misuse && adding.isCancelled)
    }

    // MARK: Completion

    @MainActor @Test("A completion handler runs after the main context has merged the save")
    func completionSeesTheMerge() async throws {
        let main = items.manager.mainContext
        let watch = try main.watch(FeedItem.entityName)
        let seen = Guarded(0)
        let observation = main.observeChanges { _, changes in seen.withLock { $0 += changes.inserted.count } }
        let adding = Adding(items.manager, 1)
        let told: Int = await withCheckedContinuation { continuation in
            adding.onCompletion { _ in continuation.resume(returning: seen.withLock { $0 }) }
            OperationQueue().addOperation(adding)
        }
        // The main context had merged the insert before the handler ran.
        #expect(told == 1)
        // A handler that is added to a finished operation runs at once.
        await withCheckedContinuation { continuation in adding.onCompletion { _ in continuation.resume() } }
        withExtendedLifetime((watch, observation)) {}
    }

    @MainActor @Test("The main thread can wait for operations without a deadlock")
    func theMainThreadMayWait() throws {
        let operations = (1...5).map { Adding(items.manager, $0) }
        run(operations + [items.makeImport(MemorySource(ItemStore.text(10..<20).utf8))])
        #expect(try ids().count == 15)
    }

    // MARK: Dependencies

    @Test("Operations run in the order of their dependencies")
    func chainsRunInTheirOrder() throws {
        let first = items.makeImport(MemorySource(ItemStore.text(0..<3, { _ in "first" }).utf8))
        let second = items.makeImport(MemorySource(ItemStore.text(1..<4, { _ in "second" }).utf8))
        second.addDependency(first)
        run([second, first])
        #expect(first.hasSucceeded && second.hasSucceeded)
        #expect(try items.rows().map { $0.split(separator: " ").last } == ["first", "second", "second", "second"])
        #expect(second.summary.tally == [3, 1, 2, 0, 0, 0, 0])
    }

    @Test("A failure cancels dependent operations, unless they run after failures", arguments: [false, true])
    func aFailureCancelsWhatDependsOnIt(_ runsAfterFailures: Bool) throws {
        let broken = items.makeImport(MemorySource("[{\"id\":".utf8))
        let next = Adding(items.manager, 2)
        let last = Adding(items.manager, 3)
        next.addDependency(broken)
        last.addDependency(next)
        next.runsAfterFailures = runsAfterFailures
        run([last, next, broken])
        #expect(broken.error != nil && !broken.hasSucceeded)
        #expect(next.isCancelled == !runsAfterFailures && last.isCancelled == !runsAfterFailures)
        #expect(try ids() == (runsAfterFailures ? ["2", "3"] : []))
        if !runsAfterFailures { #expect((last.error as? ImportError)?.code == .dependency) }
    }

    // MARK: Cancellation

    @Test("An import that is cancelled before it begins imports nothing")
    func cancelledBeforeItBegins() throws {
        let feed = items.makeImport(MemorySource(ItemStore.text(0..<3).utf8))
        feed.cancel()
        run([feed])
        #expect(feed.isFinished && !feed.hasSucceeded && feed.outcome == nil)
        #expect(try ids() == [])
    }

    @Test("An import cancelled while it reads stops after a record and resumes there")
    func cancelledInTheMiddleItResumes() throws {
        let bytes = Array(ItemStore.text(0..<3000).utf8)
        let stop = Guarded<StreamImport?>(nil)
        var source = FeedSource(name: "feed", bytes: bytes, piece: 100)
        source.event = (bytes.count / 2, .call { stop.withLock { $0 }?.cancel() })
        let feed = items.makeImport(source) {
            $0.batchSize = 10
            $0.resuming = .resume
        }
        stop.withLock { $0 = feed }
        run([feed])
        stop.withLock { $0 = nil }
        #expect(feed.isCancelled && !feed.hasSucceeded && feed.isFinished)
        guard case .stopped(let books)? = feed.outcome else { return #expect(Bool(false), "\(feed.outcome as Any)") }
        #expect(books.read < 3000 && books.isBalanced)
        #expect(try ids().count == books.inserted)
        let rest = items.makeImport(FeedSource(name: "feed", bytes: bytes)) { $0.resuming = .resume }
        run([rest])
        #expect(rest.summary.tally == [3000, 3000, 0, 0, 0, 0, 0])
        #expect(try ids().count == 3000)
    }

    @Test("A batch that its setter cancels throws and saves nothing")
    func cancelledWhileASetterRuns() async throws {
        let records = try RecordList(json: "[1,2,3]")
        let second = Guarded<Operation?>(nil)
        let batch = BatchOperation<FeedItem>(items.manager, records, key: ImportKey("id", remote: .`self`)) {
            record, item in
            item.name = "n"
            if record.number == 2 { second.withLock { $0 }?.cancel() }
        }
        second.withLock { $0 = batch }
        await #expect(throws: CancellationError.self) { try await batch.run() }
        second.withLock { $0 = nil }
        #expect(try ids() == [])
    }

    // MARK: One chunk

    @Test("A batch fetches the objects of all its keys with one query")
    func aBatchIsOneFetchAndOneSave() async throws {
        try items.take("[{\"id\":2,\"name\":\"old\"}]")
        let records = try RecordList(json: #"[{"id":1,"name":"a"},{"id":2,"name":"b"},{"id":1,"name":"c"}]"#)
        let batch = BatchOperation<FeedItem>(items.manager, records, key: ImportKey("id")) { $1.name = $0["name"] }
        let statements = items.recorded { run([batch]) }
        #expect(batch.hasSucceeded && batch.counts[.inserted] == 1 && batch.counts[.updated] == 2)
        #expect(statements.count { $0.contains("\"FeedItem\"") && $0.hasPrefix("SELECT") } == 1, "\(statements)")
        #expect(try items.rows().map { $0.split(separator: " ").last } == ["b", "c"])
    }

    @Test("A bad record fails its batch or is skipped, as the policy says", arguments: [ErrorPolicy.stop, .skip])
    func aBatchWithABadRecord(_ policy: ErrorPolicy) throws {
        let records = try RecordList(json: #"[{"id":1,"name":"a"},{"id":2,"name":7}]"#)
        let batch = BatchOperation<FeedItem>(items.manager, records, key: ImportKey("id"), onError: policy) {
            $1.name = $0["name"]
        }
        run([batch])
        #expect(batch.hasSucceeded == (policy == .skip) && batch.rejects.count == 1)
        #expect(try ids() == (policy == .skip ? ["1"] : []))
    }
}
