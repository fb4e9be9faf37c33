import Foundation
import Synchronization
import Testing
import TributaryConcurrency
import TributaryGraph
import TributaryTestSupport

/// Contexts that work at the same time, for runs with and without the thread sanitizer.
@Suite("Concurrent contexts") struct OverlapTests {
    private static let threads = 4
    private static let rounds = 12

    private static func model() throws -> Model { try Model(Author.self, Reader.self, Book.self, Series.self) }

    private func count(_ manager: ContextManager) throws -> (authors: Int, books: Int, sum: Int) {
        try manager.newPrivateContext().performAndWait { context in
            let authors = try Author.all(in: context)
            return (authors.count, try Book.count(in: context), authors.reduce(0) { $0 + $1.books.count })
        }
    }

    @Test("Private contexts insert, fetch and save at the same time without losses")
    func privateContextsInsertFetchAndSave() async throws {
        let folder = try TemporaryFolder()
        for location in [StoreLocation.memory, .sqlite(folder.path("x.sqlite"))] {
            let manager = try ContextManager(model: Self.model(), store: location)
            let failures = Guarded<[String]>([])
            await StartLine.run(Self.threads) { number, line in
                let context = manager.newPrivateContext()
                for round in 0..<Self.rounds {
                    line.pass()
                    do {
                        try context.performAndWait { context in
                            let author = context.author(number * 1000 + round)
                            for place in 0..<5 {
                                context.book("\(number) \(round) \(place)", by: author)
                            }
                            try context.save()
                            let (first, last) = (number * 1000, number * 1000 + 999)
                            let own = try Author.count(in: context, where: "id BETWEEN {\(first), \(last)}")
                            if own != round + 1 { failures.withLock { $0.append("\(own) of \(round + 1)") } }
                        }
                    } catch {
                        failures.withLock { $0.append("\(error)") }
                    }
                }
            }
            #expect(failures.withLock { $0 }.isEmpty)
            let expected = Self.threads * Self.rounds
            #expect(try count(manager) == (expected, expected * 5, expected * 5))
        }
    }

    @MainActor @Test("The main context merges other saves while it fetches and saves itself")
    func theMainContextMergesWhileOthersSave() async throws {
        let manager = try ContextManager(model: Self.model(), store: .memory)
        let main = manager.mainContext
        let start = main.author(0)
        try main.save()
        let merged = Guarded(0)
        let observation = main.observeChanges { _, changes in merged.withLock { $0 += changes.inserted.count } }
        let watch = try main.watch("Book")
        async let work: Void = StartLine.run(Self.threads) { number, line in
            for round in 0..<Self.rounds {
                line.pass()
                _ = try? manager.writeAndWait { context in
                    let book = context.book("\(number) \(round)")
                    context.mergePolicy = .objectTrump
                    book.author = try Author.find(["id": 0], in: context)
                    if round % 3 == 0 { book.author?.name = "\(number) \(round)" }
                }
            }
        }
        // Meanwhile the main context reads, changes and saves on its own.
        main.mergePolicy = .objectTrump
        for number in 1...Self.rounds {
            main.author(number)
            start.city = "\(number)"
            try main.save()
            #expect(try Author.count(in: main) == number + 1)
            _ = start.books.count
            await Task.yield()
        }
        await work
        let expected = Self.threads * Self.rounds
        // The last saves are merged asynchronously.
        for _ in 0..<1000 where merged.withLock({ $0 }) < expected + Self.rounds { await Task.yield() }
        try main.refresh(start, mergeChanges: false)
        #expect(start.books.count == expected && start.city == "\(Self.rounds)")
        #expect(try Book.count(in: main) == expected)
        withExtendedLifetime((observation, watch)) {}
    }

    @Test("Contexts that save at the same time merge each other's changes")
    func aContextMergesWhatAnotherSaves() async throws {
        let manager = try ContextManager(model: Self.model(), store: .memory)
        let contexts = (0..<Self.threads).map { manager.newPrivateContext(name: "\($0)") }
        let ids = try manager.writeAndWait { context in
            let authors = (0..<Self.threads).map { context.author($0) }
            try context.save()
            return authors.map(\.objectID)
        }
        for context in contexts {
            context.performAndWait { context in
                context.mergesAutomatically = true
                context.userInfo["held"] = Held(ids.map { context.object(with: $0) })
            }
        }
        let failures = Guarded<[String]>([])
        await StartLine.run(Self.threads) { number, line in
            for round in 1...Self.rounds {
                line.pass()
                do {
                    try contexts[number].performAndWait { context in
                        let author = try #require(try context.existingObject(with: ids[number]) as? Author)
                        author.name = "\(round)"
                        try context.save()
                    }
                } catch {
                    failures.withLock { $0.append("\(error)") }
                }
            }
        }
        #expect(failures.withLock { $0 }.isEmpty)
        for context in contexts {
            // The queue is serial, so all pending merges run before this block.
            try await context.perform { context in
                for id in ids {
                    let author = try #require(context.registeredObject(for: id) as? Author)
                    #expect(author.name == "\(Self.rounds)")
                }
                context.userInfo = [:]
            }
        }
    }

    /// Objects that a context retains through its `userInfo`.
    private struct Held: @unchecked Sendable {
        // The objects never leave the context that retains them.
        let objects: [ManagedObject]
        init(_ objects: [ManagedObject]) { self.objects = objects }
    }

    @Test("Two managers with one alias share their store and both report every save")
    func twoManagersOfOneAlias() async throws {
        let folder = try TemporaryFolder()
        let model = try Self.model()
        let managers = try (0..<2).map { _ in
            try ContextManager(model: model, store: .sqlite(folder.path("shared.sqlite")), alias: folder.path("shared"))
        }
        let told = managers.map { _ in Guarded(0) }
        let observations = zip(managers, told).map { manager, told in
            manager.observeSaves { saved in told.withLock { $0 += saved.inserted.count } }
        }
        await StartLine.run(Self.threads) { number, line in
            for round in 0..<Self.rounds {
                line.pass()
                _ = try? managers[number % 2].writeAndWait { $0.insert(Reader.self).id = number * 1000 + round }
            }
        }
        let expected = Self.threads * Self.rounds
        for manager in managers {
            #expect(try manager.newPrivateContext().performAndWait { try Reader.count(in: $0) } == expected)
        }
        #expect(told.map { $0.withLock { $0 } } == [expected, expected])
        withExtendedLifetime(observations) {}
    }

    @Test("Observers can be added and removed while contexts save")
    func observersComeAndGo() async throws {
        let manager = try ContextManager(model: Self.model(), store: .memory)
        let context = manager.newPrivateContext()
        let told = Atomic(0)
        await StartLine.run(Self.threads) { number, line in
            for round in 0..<Self.rounds {
                line.pass()
                let observation = manager.observeSaves { _ in told.add(1, ordering: .relaxed) }
                let other = context.performAndWait { context in
                    UncheckedTransfer(context.observeDidSave { _, _ in told.add(1, ordering: .relaxed) })
                }
                if number == 0 { _ = try? manager.writeAndWait { $0.insert(Reader.self).id = round } }
                if number == 1 { context.perform { try? $0.save() } }
                withExtendedLifetime((observation, other)) {}
            }
        }
        #expect(told.load(ordering: .relaxed) >= Self.rounds)
        #expect(try context.performAndWait { try Reader.count(in: $0) } == Self.rounds)
    }

    /// An observation that leaves the queue on which it was created.
    private struct UncheckedTransfer: @unchecked Sendable {
        // An observation may be released on any thread, because it ends on the context's queue.
        let observation: ContextObservation
        init(_ observation: ContextObservation) { self.observation = observation }
    }

    @Test("Children can save into a parent that works and saves at the same time")
    func childrenSaveIntoAParentThatWorks() async throws {
        let manager = try ContextManager(model: Self.model(), store: .memory)
        let parent = manager.newPrivateContext(name: "parent")
        let failures = Guarded<[String]>([])
        await StartLine.run(Self.threads) { number, line in
            let child = number == 0 ? nil : parent.child()
            for round in 0..<Self.rounds {
                line.pass()
                do {
                    try (child ?? parent).performAndWait { context in
                        context.author(number * 1000 + round)
                        _ = try Author.all(in: context).count
                        try context.save()
                    }
                } catch {
                    failures.withLock { $0.append("\(error)") }
                }
            }
        }
        #expect(failures.withLock { $0 }.isEmpty)
        try parent.performAndWait { try $0.save() }
        #expect(try count(manager).authors == Self.threads * Self.rounds)
    }
}
