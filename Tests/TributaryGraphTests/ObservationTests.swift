import Testing
import TributaryConcurrency
import TributaryGraph
import TributaryTestSupport

/// The changes that observers receive, and when they receive them.
@MainActor @Suite struct ObservationTests {
    /// Changes in short form: `+` inserted, `~` updated, `-` deleted, `r` refreshed, `!` a reset.
    private static func text(_ changes: ContextChanges) -> String {
        func names(_ objects: Set<ManagedObject>, _ mark: String) -> String {
            objects.isEmpty ? "" : mark + objects.map { $0.entity.name }.sorted().joined(separator: ",") + " "
        }
        return names(changes.inserted, "+") + names(changes.updated, "~") + names(changes.deleted, "-")
            + names(changes.refreshed, "r") + (changes.isReset ? "!" : "")
    }

    private final class Told {
        var changes: [String] = []
        func take() -> [String] {
            defer { changes = [] }
            return changes
        }

        func take(processing context: ManagedObjectContext) -> [String] {
            context.processPendingChanges()
            return take()
        }
    }

    @Test("Observers receive the changes of a batch once, in one report")
    func oneReportForABatch() throws {
        let library = try Library()
        let told = Told()
        let observation = library.context.observeChanges { told.changes.append(Self.text($1)) }
        let author = library.author(1)
        author.name = "edited"
        #expect(told.take().isEmpty)
        #expect(told.take(processing: library.context) == ["+Author "], "an insertion and its edits are one insertion")
        #expect(told.take(processing: library.context).isEmpty, "no change is reported twice")
        author.name = "again"
        #expect(told.take(processing: library.context) == ["~Author "], "an edit in a later batch")
        let gone = library.author(2)
        gone.delete()
        #expect(told.take(processing: library.context).isEmpty, "inserted and deleted in one batch")
        let book = library.book("x", by: author)
        #expect(told.take(processing: library.context) == ["+Book ~Author "], "both sides of a relationship")
        try library.context.save()
        #expect(told.take().isEmpty)
        author.delete()
        _ = try Book.count(in: library.context)
        #expect(told.take() == ["-Author,Book "], "a fetch reports pending changes, cascaded deletions included")
        library.context.rollback()
        #expect(told.take() == ["rAuthor,Book "])
        author.name = author.name
        #expect(told.take(processing: library.context).isEmpty, "an equal value is no change")
        try library.context.refresh(book, mergeChanges: false)
        #expect(told.take(processing: library.context) == ["rBook "])
        library.context.reset()
        #expect(told.take() == ["!"])
        withExtendedLifetime(observation) {}
        _ = consume observation
        _ = library.author(3)
        #expect(told.take(processing: library.context).isEmpty, "the observation has ended")
    }

    @Test("A save calls its observers before it and, if it succeeds, after it")
    func aSaveTellsBeforeAndAfter() throws {
        let library = try Library()
        let told = Told()
        let observations = [
            library.context.observeWillSave { context in
                told.changes.append("will")
                for object in context.insertedObjects { (object as? Author)?.name = "set by an observer" }
            },
            library.context.observeDidSave { told.changes.append("did \(Self.text($1))\($0.hasChanges)") },
        ]
        try library.context.save()
        #expect(told.take() == ["will", "did false"], "observers are called even without changes")
        let author = library.author(1)
        let book = library.book("x", by: author)
        try library.context.save()
        #expect(told.take() == ["will", "did +Author,Book false"])
        #expect(author.name == "set by an observer" && !author.hasChanges)
        book.pages = 3
        try library.context.save()
        #expect(told.take() == ["will", "did ~Book false"])
        book.author = nil
        author.delete()
        let forgotten = library.author(2)
        forgotten.delete()
        try library.context.save()
        #expect(told.take() == ["will", "did ~Book -Author false"])
        library.author(9).books.insert(book)
        book.delete()
        try library.context.save()
        #expect(told.take() == ["will", "did +Author -Book false"])
        let other: Author = library.make()
        #expect(throws: SaveError.self) { try library.context.save() }
        #expect(told.take() == ["will"], "a failed save is not reported as done")
        other.id = 4
        withExtendedLifetime(observations) {}
    }

    @Test("A manager reports each non-empty save to its stores, from any context")
    func managersTellOfAllSaves() async throws {
        let library = try Library()
        let told = Guarded<[[Int]]>([])
        let observation = library.manager.observeSaves { saved in
            told.withLock { $0.append([saved.inserted.count, saved.updated.count, saved.deleted.count]) }
        }
        let author = library.author(1)
        _ = library.book("1", by: author)
        try library.context.save()
        try await library.manager.write { context in
            let author = try #require(try Author.first(in: context))
            author.name = "x"
            author.books.objects[0].delete()
            context.insert(Reader.self).id = 2
        }
        try await library.manager.write { _ in }
        let child = library.context.scratchChild()
        child.insert(Reader.self).id = 3
        try child.save()
        #expect(told.withLock { $0 } == [[2, 0, 0], [1, 1, 1]], "empty saves and saves of children are not reported")
        try library.context.refreshAllObjects()
        _ = consume observation
        try library.context.save()
        #expect(told.withLock(\.count) == 2)
    }

    @Test("A merge reports changes of loaded and watched objects only")
    func whatOthersSaveIsTold() throws {
        let library = try Library()
        library.context.mergesAutomatically = false
        let (author, other) = (library.author(1), library.author(2))
        try library.context.save()
        let told = Told()
        let saves = Guarded<[SavedChanges]>([])
        let observations = [
            library.context.observeChanges { told.changes.append(Self.text($1)) },
            library.manager.observeSaves { saved in saves.withLock { $0.append(saved) } },
        ]
        author.city = "mine"
        #expect(told.take(processing: library.context) == ["~Author "])
        try library.manager.writeAndWait { context in
            for author in try Author.all(in: context) { author.name = "theirs" }
            context.insert(Reader.self).id = 3
        }
        for saved in saves.withLock({ $0 }) { library.context.merge(saved) }
        #expect(told.take() == ["rAuthor,Author "], "unloaded, unwatched objects are not reported")
        #expect(author.name == "theirs" && author.city == "mine" && author.isUpdated && !other.isUpdated)
        saves.withLock { $0 = [] }
        let watch = try library.context.watch("Person", where: "name == \("w")")
        try library.manager.writeAndWait { context in
            for (number, name) in [(4, "w"), (5, "v")] {
                let reader = context.insert(Reader.self)
                (reader.id, reader.name) = (number, name)
            }
            try Reader.find(["id": 3], in: context)?.name = "w"
            try #require(try Author.find(["id": 2], in: context)).delete()
        }
        for saved in saves.withLock({ $0 }) { library.context.merge(saved) }
        #expect(told.take() == ["+Reader -Author rReader "])
        #expect(other.isDeleted && library.context.deletedObjects == [other])
        withExtendedLifetime((observations, watch)) {}
    }
}
