import Testing
import TributaryGraph
import TributaryTestSupport

/// Ownership: an object keeps its context, a context keeps changed objects, and no cycle outlives its context.
@Suite struct LifetimeTests {
    private let manager: ContextManager

    /// An author with two books who is also in its own list of friends.
    init() throws {
        manager = try ContextManager.library()
        try manager.writeAndWait { context in
            let author = context.author(1)
            author.friends.insert(author)
            for number in 0..<2 {
                context.book("\(number)", by: author)
            }
        }
    }

    /// Weak references to what must be deallocated at the end of a test.
    private final class Remains {
        weak var context: ManagedObjectContext?
        var objects: [() -> ManagedObject?] = []
        func watch(_ object: ManagedObject) { objects.append { [weak object] in object } }
        func watch(_ all: [ManagedObject]) { for object in all { watch(object) } }
        var isEmpty: Bool { context == nil && objects.allSatisfy { $0() == nil } }
        var count: Int { objects.count { $0() != nil } }
    }

    /// Runs `body` in a private context that is then released, and returns what must be deallocated with it.
    private func leave(_ body: (ManagedObjectContext, Remains) throws -> Void) throws -> Remains {
        let remains = Remains()
        let context = manager.newPrivateContext()
        try context.performAndWait { context in
            remains.context = context
            try body(context, remains)
        }
        drain(context)
        return remains
    }

    /// Releases a context; only a parameter that owns its value can be consumed.
    private func drain(_ context: consuming PrivateContext) { _ = consume context }

    /// Waits until `condition` holds, since a context is released on its own queue.
    private func eventually(isolation: isolated (any Actor)? = #isolation, _ condition: () -> Bool) async -> Bool {
        for _ in 0..<10_000 {
            if condition() { return true }
            await Task.yield()
        }
        return condition()
    }

    @Test("Objects of actions that can be undone are deallocated with their context")
    func actionsGoWithTheContext() async throws {
        let remains = try leave { context, remains in
            context.undoManager = ContextUndoManager()
            let author = try #require(try context.fetch(FetchRequest<Author>()).first)
            remains.watch(author.books.objects)
            remains.watch(author)
            author.delete()
            try context.save()
            remains.watch(context.author(2))
            try context.undo()
        }
        #expect(await eventually { remains.isEmpty })
    }

    @Test("Objects with unsaved changes are deallocated with their context")
    func unsavedChangesGoWithTheContext() async throws {
        let remains = try leave { context, remains in
            let author = context.author(2)
            let book = context.insert(Book.self)
            book.author = author
            author.friends.insert(author)
            let old = try #require(try Author.find(["id": 1], in: context))
            old.name = "changed"
            remains.watch([author, book, old] + old.books.objects)
            old.books.objects[0].delete()
        }
        #expect(await eventually { remains.isEmpty }, "\(remains.count) of \(remains.objects.count) objects are left")
    }

    @Test("Cycles of loaded objects are deallocated with their context")
    func cyclesOfLoadedObjectsGoWithTheContext() async throws {
        let remains = try leave { context, remains in
            for author in try Author.all(in: context) {
                for book in author.books { remains.watch(book) }
                #expect(author.friends.contains(author) && author.books.objects.allSatisfy { $0.author === author })
                remains.watch(author)
            }
        }
        #expect(remains.objects.count == 3)
        #expect(await eventually { remains.isEmpty }, "\(remains.count) objects are left")
    }

    @Test("Refreshing all objects breaks reference cycles between them")
    func refreshingBreaksCycles() throws {
        try manager.newPrivateContext().performAndWait { context in
            let remains = Remains()
            func load() throws {
                for author in try Author.all(in: context) {
                    remains.watch(author)
                    remains.watch(author.books.objects)
                    for book in author.books { #expect(book.author === author) }
                }
            }
            try load()
            #expect(remains.count == 3, "objects keep one another")
            try context.refreshAllObjects()
            #expect(remains.count == 0 && context.registeredObjects.isEmpty)
        }
    }

    @Test("Saved objects are deallocated with their context")
    func aSavedContextKeepsNothing() async throws {
        let remains = try leave { context, remains in
            let author = context.author(2)
            let book = context.book("2")
            author.books.insert(book)
            try context.save()
            remains.watch([author, book])
        }
        #expect(await eventually { remains.isEmpty }, "\(remains.count) objects are left")
    }

    @Test("An object keeps its context alive")
    func anObjectKeepsItsContext() async throws {
        let remains = Remains()
        var kept: Author?
        do {
            let context = manager.newPrivateContext()
            try context.performAndWait { context in
                remains.context = context
                kept = try Author.first(in: context)
                remains.watch(try #require(kept))
            }
        }
        #expect(remains.context != nil && kept?.context != nil)
        kept = nil
        #expect(await eventually { remains.isEmpty })
    }

    @Test("Discarded inserts are deallocated after rollback, deletion and reset")
    func objectsOfARollbackDoNotKeepOneAnother() throws {
        try manager.newPrivateContext().performAndWait { context in
            let remains = Remains()
            func make() throws {
                let author = context.insert(Author.self)
                let book = context.insert(Book.self)
                book.author = author
                try context.obtainPermanentIDs(for: [book])
                remains.watch([author, book])
            }
            try make()
            context.rollback()
            #expect(remains.count == 0)
            try make()
            for author in try Author.fetch(in: context, where: "id == nil OR id == 0") { author.delete() }
            context.processPendingChanges()
            #expect(remains.count == 0)
            try make()
            context.reset()
            #expect(remains.count == 0)
        }
    }

    @Test("Objects are detached when their context is reset")
    func anObjectOfAResetContextIsDetached() throws {
        try manager.newPrivateContext().performAndWait { context in
            let author = try #require(try Author.first(in: context))
            let book = context.insert(Book.self)
            book.author = author
            context.reset()
            #expect(author.context == nil && book.context == nil && author.isFault && !author.hasChanges)
            #expect(!context.hasChanges && context.registeredObjects.isEmpty)
            let again = try #require(try Author.first(in: context))
            #expect(again !== author && again.books.count == 2)
        }
    }

    @Test("Saving a deletion detaches the deleted objects")
    func aDeletedObjectIsDetachedByTheSave() throws {
        try manager.newPrivateContext().performAndWait { context in
            let author = try #require(try Author.first(in: context))
            let books = author.books.objects
            author.delete()
            #expect(author.isDeleted && author.id == 1 && author.context === context)
            try context.save()
            #expect(author.context == nil && !author.isDeleted && author.isFault)
            #expect(books.allSatisfy { $0.context == nil })
            #expect(try context.registeredObjects.isEmpty && Author.count(in: context) == 0)
            #expect(!(try author.exists()))
        }
    }

    @MainActor @Test("An object stays usable after its manager is released")
    func objectsOutliveTheirManager() async throws {
        let remains = Remains()
        var author: Author?
        do {
            let library = try Library()
            let made = library.author(1, "x")
            _ = library.book("1", by: made)
            try library.context.save()
            remains.context = library.context
            remains.watch(made)
            remains.watch(made.books.objects)
            author = made
        }
        #expect(author?.name == "x" && author?.books.count == 1 && author?.context != nil)
        author?.name = "y"
        try author?.context?.save()
        author = nil
        #expect(await eventually { remains.isEmpty }, "\(remains.count) objects are left")
    }
}
