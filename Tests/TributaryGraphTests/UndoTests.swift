import Foundation
import Testing
import TributaryConcurrency
import TributaryGraph
import TributaryTestSupport

/// What undoing and redoing restores, and what is registered.
@Suite struct UndoTests {
    private let manager: ContextManager
    private let session: PrivateContext

    init() throws {
        manager = try .library()
        session = manager.newPrivateContext()
    }

    /// Calls `body` with a context that has an undo manager.
    private func run(_ body: (ManagedObjectContext, ContextUndoManager) throws -> Void) throws {
        try session.performAndWait { context in
            let undoManager = ContextUndoManager()
            context.undoManager = undoManager
            try body(context, undoManager)
        }
    }

    private func titles(_ context: ManagedObjectContext) throws -> [String] {
        try context.fetch(FetchRequest<Series>(sort: [SortKey("title")])).map(\.title)
    }

    @Test("A context has no undo manager, and undo, redo and groups then do nothing")
    func offByDefault() throws {
        try session.performAndWait { context in
            #expect(context.undoManager == nil)
            let series = context.insert(Series.self)
            context.undoManager?.beginGroup()
            series.title = "one"
            context.undoManager?.endGroup()
            try context.undoManager?.undoNestedGroup()
            try context.undo()
            try context.redo()
            #expect(context.withUndoGroup(named: "none") { series.title } == "one")
            #expect(try titles(context) == ["one"])
        }
    }

    @Test("Changes are registered as often as they are processed")
    func actionsByProcessing() throws {
        try run { context, undoManager in
            let series = context.insert(Series.self)
            series.title = "one"
            context.processPendingChanges()
            series.title = "two"
            series.title = "three"
            #expect(undoManager.canUndo)
            try context.undo()
            #expect(series.title == "one" && undoManager.canUndo && undoManager.canRedo)
            try context.redo()
            #expect(series.title == "three")
            try context.undo()
            try context.undo()
            #expect(try titles(context) == [] && !undoManager.canUndo && !context.hasChanges)
            try context.undo()
            try context.redo()
            try context.redo()
            #expect(try titles(context) == ["three"] && !undoManager.canRedo)
        }
    }

    @Test("An undone insertion leaves the context, and redo restores the same object and ID")
    func insertions() throws {
        try run { context, _ in
            let author = context.author(1, "Ursula")
            let book = context.book("b", by: author)
            context.processPendingChanges()
            let id = book.objectID
            try context.undo()
            #expect(book.context == nil && context.registeredObject(for: id) == nil)
            #expect(try context.count(FetchRequest<Book>()) == 0)
            try context.redo()
            #expect(book.context === context && book.objectID == id && book.isInserted)
            #expect(book.author === author && author.books.objects == [book] && author.name == "Ursula")
            #expect(try context.fetch(FetchRequest<Book>(where: "author.name == 'Ursula'")) == [book])
            try context.save()
            #expect(try manager.readAndWait { try $0.count(FetchRequest<Book>()) } == 1)
        }
    }

    @Test("After a save undo changes the values again, until they are saved")
    func savedChanges() throws {
        try run { context, _ in
            let series = context.insert(Series.self)
            series.title = "one"
            try context.save()
            series.title = "two"
            try context.save()
            try context.undo()
            #expect(series.title == "one" && series.isUpdated && context.hasChanges)
            #expect(try manager.readAndWait { try titles($0) } == ["two"])
            try context.save()
            #expect(try manager.readAndWait { try titles($0) } == ["one"])
            try context.redo()
            #expect(series.title == "two" && context.hasChanges)
            try context.undo()
            #expect(!context.hasChanges)
        }
    }

    @Test("A saved insertion becomes a deletion, and a saved deletion an insertion with the same ID and relationships")
    func savedInsertionsAndDeletions() throws {
        try run { context, _ in
            let author = context.author(1)
            try context.save()
            let book = context.book("b", by: author)
            try context.save()
            let id = book.objectID
            try context.undo()
            #expect(book.isDeleted && author.books.isEmpty)
            try context.save()
            #expect(book.context == nil)
            #expect(try manager.readAndWait { try $0.count(FetchRequest<Book>()) } == 0)
            try context.redo()
            #expect(book.isInserted && book.objectID == id && author.books.objects == [book])
            try context.save()
            author.delete()
            try context.save()
            #expect(book.context == nil && author.context == nil)
            try context.undo()
            try context.save()
            #expect(book.objectID == id && book.author === author && author.books.objects == [book])
            let keys = try manager.readAndWait { context in
                try context.fetch(FetchRequest<Book>()).map { [$0.objectID, try #require($0.author).objectID] }
            }
            #expect(keys == [[id, author.objectID]])
        }
    }

    @Test("Orders of relationships are restored, also after their objects were turned into faults")
    func orders() throws {
        try run { context, _ in
            let series = context.insert(Series.self)
            let books = ["a", "b", "c", "d"].map { context.book($0) }
            series.books = OrderedToMany(books)
            try context.save()
            try context.refreshAllObjects()
            books[1].series = nil
            context.processPendingChanges()
            series.books = OrderedToMany([books[3], books[0]])
            context.processPendingChanges()
            books[0].delete()
            try context.save()
            try context.refreshAllObjects()
            #expect(series.books.objects == [books[3]])
            try context.undo()
            #expect(series.books.objects == [books[3], books[0]])
            try context.undo()
            #expect(series.books.objects == [books[0], books[2], books[3]])
            try context.undo()
            #expect(series.books.objects == books)
            try context.save()
            let stored = try manager.readAndWait { try $0.fetch(FetchRequest<Series>()).first?.books.map(\.isbn) }
            #expect(stored == ["a", "b", "c", "d"])
        }
    }

    @Test("New changes clear what can be redone")
    func redoIsCleared() throws {
        try run { context, undoManager in
            let series = context.insert(Series.self)
            context.processPendingChanges()
            series.title = "one"
            try context.undo()
            #expect(undoManager.canRedo)
            series.title = "two"
            #expect(!undoManager.canRedo)
            try context.redo()
            #expect(series.title == "two")
        }
    }

    @Test("Rollback and reset remove all actions")
    func rollbackAndReset() throws {
        try run { context, undoManager in
            let series = context.insert(Series.self)
            series.title = "one"
            try context.save()
            series.title = "two"
            context.processPendingChanges()
            try context.undo()
            series.title = "three"
            context.rollback()
            #expect(series.title == "one" && !undoManager.canUndo && !undoManager.canRedo)
            try context.undo()
            try context.redo()
            #expect(series.title == "one" && !context.hasChanges)
            series.title = "four"
            try context.undo()
            #expect(series.title == "one")
            series.title = "five"
            context.processPendingChanges()
            context.reset()
            #expect(!undoManager.canUndo && !undoManager.canRedo)
        }
    }

    @Test("Changes while registration is disabled cannot be undone")
    func registration() throws {
        try run { context, undoManager in
            let series = context.insert(Series.self)
            series.title = "one"
            undoManager.disableRegistration()
            #expect(!undoManager.isRegistrationEnabled)
            series.title = "two"
            undoManager.enableRegistration()
            #expect(undoManager.isRegistrationEnabled)
            series.title = "three"
            try context.undo()
            #expect(series.title == "two")
            try context.undo()
            #expect(series.context == nil)
        }
    }

    @Test("No more actions are kept than levels")
    func levels() throws {
        try run { context, undoManager in
            undoManager.levelsOfUndo = 3
            let series = context.insert(Series.self)
            for number in 0..<10 {
                series.title = "\(number)"
                context.processPendingChanges()
            }
            while undoManager.canUndo { try context.undo() }
            #expect(series.title == "6")
            while undoManager.canRedo { try context.redo() }
            #expect(series.title == "9")
            undoManager.levelsOfUndo = 1
            while undoManager.canUndo { try context.undo() }
            #expect(series.title == "8")
        }
    }

    @Test("Observers are notified of what is undone and redone")
    func observers() throws {
        try run { context, undoManager in
            let author = context.author(1)
            try context.save()
            var told: [String] = []
            let observation = context.observeChanges { _, changes in
                told.append("\(changes.inserted.count) \(changes.updated.count) \(changes.deleted.count)")
                guard undoManager.isUndoing || undoManager.isRedoing else { return }
                #expect { try context.undo() } throws: { ($0 as? ContextError)?.code == .notUndoable }
            }
            context.book("b", by: author)
            context.processPendingChanges()
            try context.undo()
            try context.redo()
            #expect(told == ["1 1 0", "0 1 1", "1 1 0"])
            withExtendedLifetime(observation) {}
        }
    }

    @Test("Changes that hooks make during a save are undone with the changes before it")
    func hooks() throws {
        try run { context, undoManager in
            let series = context.insert(Series.self)
            series.title = "one"
            context.processPendingChanges()
            series.title = "two"
            let observation = context.observeWillSave { _ in series.title += "!" }
            try context.save()
            #expect(series.title == "two!")
            try context.undo()
            #expect(series.title == "one")
            try context.save()
            #expect(series.title == "one!" && undoManager.canRedo)
            try context.redo()
            #expect(series.title == "two!")
            withExtendedLifetime(observation) {}
        }
    }

    @Test("A save of another context that concerns changed objects ends what can be undone")
    func otherContexts() throws {
        try run { context, undoManager in
            let author = context.author(1, "one")
            let book = context.book("b", by: author)
            try context.save()
            author.name = "two"
            context.processPendingChanges()
            #expect(undoManager.canUndo)
            let saves = try savesDuring {
                try manager.writeAndWait { other in
                    // It refers to an object that has changed here.
                    let book = other.insert(Book.self)
                    book.isbn = "c"
                    book.author = try other.fetch(FetchRequest<Author>()).first
                }
            }
            for saved in saves { context.merge(saved) }
            #expect(!undoManager.canUndo && !undoManager.canRedo && author.name == "two")
            try context.save()
            #expect(author.books.count == 2 && book.author === author)
            author.name = "three"
            try context.undo()
            #expect(author.name == "two")
        }
    }

    @Test("A save of unrelated objects leaves what can be undone")
    func unrelatedObjects() throws {
        let model = try makeModel(makeEntity("A", [makeAttribute("x")]), makeEntity("B", [makeAttribute("x")]))
        let manager = try ContextManager(model: model, store: .memory)
        let saves = Guarded<[SavedChanges]>([])
        let observation = manager.observeSaves { saved in saves.withLock { $0.append(saved) } }
        try manager.newPrivateContext().performAndWait { context in
            context.undoManager = ContextUndoManager()
            let object = try context.insert(entity: "A")
            context.processPendingChanges()
            try manager.writeAndWait { _ = try $0.insert(entity: "B") }
            for saved in saves.withLock({ $0 }) { context.merge(saved) }
            try context.undo()
            #expect(object.context == nil)
            try manager.writeAndWait { _ = try $0.insert(entity: "A") }
        }
        withExtendedLifetime(observation) {}
    }

    @Test("Hooks of loaded objects are no changes of a user, and a group may end in its body")
    func hooksAndGroups() throws {
        try run { context, undoManager in
            let author = context.author(1, "one")
            try context.save()
            undoManager.removeAllActions()
            author.name = "two"
            context.processPendingChanges()
            try context.withUndoGroup {
                author.name = "three"
                try context.undo()
            }
            #expect(author.name == "two" && undoManager.groupingLevel == 0)
            context.withUndoGroup { context.undoManager = nil }
            #expect(context.undoManager == nil)
        }
    }

    private func savesDuring(_ body: () throws -> Void) rethrows -> [SavedChanges] {
        let saves = Guarded<[SavedChanges]>([])
        let observation = manager.observeSaves { saved in saves.withLock { $0.append(saved) } }
        try withExtendedLifetime(observation) { try body() }
        return saves.withLock { $0 }
    }

    @Test("A context that has merged a deletion merges its undoing")
    func mergedUndo() throws {
        try run { context, _ in
            context.book("b", by: context.author(1))
            try context.save()
        }
        let other = manager.newPrivateContext()
        var book: Book?
        var author: Author?
        try other.performAndWait { other in
            book = try other.fetch(FetchRequest<Book>()).first
            author = book?.author
            #expect(author?.books.count == 1)
        }
        let deletion = try savesDuring {
            try session.performAndWait { context in
                try context.fetch(FetchRequest<Book>()).first?.delete()
                try context.save()
            }
        }
        other.performAndWait { other in
            for saved in deletion { other.merge(saved) }
            #expect(book?.isDeleted == true && author?.books.count == 0)
        }
        let undoing = try savesDuring {
            try session.performAndWait { context in
                try context.undo()
                try context.save()
            }
        }
        try other.performAndWait { other in
            for saved in undoing { other.merge(saved) }
            #expect(book?.isDeleted == false && author?.books.objects.first === book && !other.hasChanges)
            let found = try other.fetch(FetchRequest<Book>())
            #expect(found.first === book)
        }
    }

    @Test("The save of a child is one action of the undo manager of its parent")
    func child() throws {
        var known: Author?
        try run { context, _ in
            known = context.author(1, "one")
            try context.save()
        }
        try session.child().performAndWait { child in
            let author = try #require(try child.fetch(FetchRequest<Author>()).first)
            author.name = "two"
            child.processPendingChanges()
            child.book("b", by: author)
            try child.save()
        }
        try session.performAndWait { context in
            #expect(known?.name == "two" && known?.books.count == 1)
            try context.undo()
            #expect(known?.name == "one" && known?.books.count == 0)
            try context.redo()
            #expect(known?.name == "two" && known?.books.count == 1)
            known = nil
        }
    }

    @Test("Without an undo manager a context retains no unchanged objects; with one it releases them with its actions")
    func memory() throws {
        try run { context, undoManager in
            weak var book: Book?
            do {
                let made = context.book("b")
                try context.save()
                made.pages = 3
                try context.save()
                book = made
            }
            #expect(book != nil)
            undoManager.removeAllActions()
            #expect(book == nil)
            context.undoManager = nil
            do {
                let made = context.book("c")
                try context.save()
                book = made
            }
            #expect(book == nil)
        }
    }
}
