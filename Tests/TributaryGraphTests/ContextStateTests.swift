import Testing
import TributaryConcurrency
import TributaryGraph
import TributaryTestSupport

/// The parts of which a context consists, each without the context.
@Suite struct ContextStateTests {
    private struct Failure: Error, Equatable { let number: Int }

    @Test("A read error is kept only within a call that can throw it")
    func readErrorsNeedACall() {
        var failures = ReadFailures()
        var isKept = failures.record(Failure(number: 1))
        #expect(!failures.canThrow && !isKept && failures.first == nil)
        let outer = failures.begin()
        for number in 1...2 {
            isKept = failures.record(Failure(number: number))
            #expect(failures.canThrow && isKept)
        }
        #expect(failures.first as? Failure == Failure(number: 1))
        failures.end(outer)
        #expect(!failures.canThrow && failures.first == nil)
    }

    @Test("An inner call throws its own read errors, or leaves its first one to the outer call")
    func innerCalls() {
        var failures = ReadFailures()
        let outer = failures.begin()
        var inner = failures.begin()
        _ = failures.record(Failure(number: 1))
        failures.end(inner)
        #expect(failures.canThrow && failures.first == nil)
        inner = failures.begin()
        _ = failures.record(Failure(number: 2))
        failures.endKeepingFirst(inner)
        #expect(failures.first as? Failure == Failure(number: 2))
        inner = failures.begin()
        #expect(failures.first == nil)
        _ = failures.record(Failure(number: 3))
        failures.endKeepingFirst(inner)
        #expect(failures.first as? Failure == Failure(number: 2))
        failures.endKeepingFirst(outer)
        #expect(!failures.canThrow && failures.first == nil)
    }

    private func makeEntities() throws -> (author: Entity, book: Entity) {
        let model = try Model(Author.self, Book.self, Series.self, Reader.self)
        return (try #require(model["Author"]), try #require(model["Book"]))
    }

    @Test("A permanent key replaces a temporary one, and the key of a merged row replaces both")
    func replacedKeys() throws {
        let (author, book) = try makeEntities()
        let keys = TemporaryKeys()
        let generation = keys.currentGeneration
        #expect(keys.current(-5, author) == -5 && keys.current(5, author) == 5)
        keys.replace(-5, with: 7)
        #expect(keys.current(-5, author) == 7 && keys.currentGeneration == generation + 1)
        let merged = [RowKey(author.root, 7): Int64(3)]
        #expect(keys.merge(merged) == merged && keys.merge(merged).isEmpty)
        #expect(keys.current(-5, author) == 3 && keys.current(7, author) == 3 && keys.current(7, book) == 7)
    }

    @Test("Keys that only children can ask for are kept as long as one of them exists")
    func keysOfChildren() throws {
        let (author, _) = try makeEntities()
        let keys = TemporaryKeys()
        var marks = [keys.addChild(), keys.addChild()]
        keys.replace(-1, with: 9)
        marks.removeLast()
        keys.forgetWithoutChildren()
        #expect(keys.current(-1, author) == 9)
        marks.removeAll()
        keys.forgetWithoutChildren()
        #expect(keys.current(-1, author) == -1 && keys.permanentKeys.isEmpty)
    }

    @Test("Objects are new until pending changes are processed, and none is left after they are removed")
    func pendingObjects() throws {
        try ContextManager.library().newPrivateContext().performAndWait { context in
            let objects = (1...3).map { context.author($0) }
            var pending = PendingChanges()
            #expect(!pending.needProcessing && pending.newObjects.isEmpty)
            pending.objects = objects
            pending.processedCount = 2
            #expect(pending.needProcessing && Array(pending.newObjects) == [objects[2]])
            pending.processedCount = 3
            #expect(!pending.needProcessing && pending.newObjects.isEmpty)
            pending.modified = [objects[0]]
            #expect(pending.needProcessing)
            pending.deletions = [objects[1]]
            let removed = pending.removeAll()
            #expect(removed == objects)
            #expect(!pending.needProcessing && pending.objects.isEmpty && pending.deletions.isEmpty)
        }
    }

    @Test("Buffered saves are taken as one, once")
    func bufferedSaves() throws {
        let manager = try ContextManager.library()
        let saves = Guarded<[SavedChanges]>([])
        let observation = manager.observeSaves { saved in saves.withLock { $0.append(saved) } }
        defer { withExtendedLifetime(observation) {} }
        try manager.newPrivateContext().performAndWait { context in
            context.bufferSaves()
            #expect(context.takeBufferedSaves()?.inserted == nil)
            var authors: [Author] = []
            for id in 1...2 {
                authors.append(context.author(id))
                try context.save()
            }
            #expect(context.takeBufferedSaves()?.inserted == authors.map(\.objectID))
            #expect(context.takeBufferedSaves()?.inserted == nil)
        }
        #expect(saves.withLock { $0.isEmpty })
    }

    @Test("Observers are called in the order in which they were added")
    func observerOrder() {
        let observers = Observers<Int>()
        for number in 1...20 { #expect(observers.add(number) == number) }
        #expect(observers.remove(3) == 3 && observers.remove(3) == nil)
        #expect(observers.all == (1...20).filter { $0 != 3 })
    }

    @Test("The object of an ID has the class that is asked for, or the call throws")
    func typedObject() throws {
        try ContextManager.library().newPrivateContext().performAndWait { context in
            let author = context.author(1, "first")
            try context.save()
            let person: Person = try context.existingObject(Person.self, with: author.objectID)
            #expect(person === author)
            let error = #expect(throws: ContextError.self) {
                try context.existingObject(Book.self, with: author.objectID)
            }
            #expect(error?.code == .wrongClass && error?.reason == "objects of Author have the class Author, not Book")
        }
    }
}
