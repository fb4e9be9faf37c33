import Foundation
import Testing
import TributaryConcurrency
import TributaryGraph
import TributaryTestSupport

/// Saves that meet concurrent changes of related objects.
@Suite struct CollisionTests {
    private let manager: ContextManager

    /// Author 1 with a book, and with reader 9 as a friend.
    init() throws {
        manager = try ContextManager.library()
        try manager.writeAndWait { context in
            let author = context.author(1, "old")
            let friend = context.insert(Reader.self)
            friend.id = 9
            friend.friends.insert(author)
            context.book("a", by: author)
        }
    }

    @Test("After a merge, a deletion cascades to rows that another context added")
    func aDeletionReachesWhatOthersHaveAdded() throws {
        let told = Guarded<SavedChanges?>(nil)
        let observation = manager.observeSaves { changes in told.withLock { $0 = changes } }
        defer { withExtendedLifetime(observation) {} }
        try manager.newPrivateContext().performAndWait { context in
            let author = try #require(try Author.first(in: context))
            author.delete()
            context.processPendingChanges()
            try manager.writeAndWait { context in
                _ = context.book("b", by: try Author.first(in: context))
            }
            let error = #expect(throws: SaveError.self) { try context.save() }
            #expect(error?.code == .conflict, "\(error?.description ?? "")")
            #expect(author.isDeleted && context.hasChanges)
            context.merge(try #require(told.withLock { $0 }))
            try context.save()
            #expect(try Book.count(in: context) == 0 && Author.count(in: context) == 0)
        }
    }

    @Test(
        "References follow a row to the new object that takes over its unique value",
        arguments: [MergePolicy.objectTrump, .storeTrump])
    func whoLedToTheRowLeadsToItsNewObject(_ policy: MergePolicy) throws {
        try manager.inNewContext(merging: policy) { context in
            let book = try #require(try Book.first(in: context))
            let friend = try #require(try Reader.first(in: context))
            let earlier = try #require(book.author)
            #expect(Array(friend.friends) == [earlier] && Array(earlier.books) == [book])
            let author = context.author(1, "new")
            try context.save()
            #expect(earlier.context == nil && author.context === context)
            #expect(book.author === author && Array(friend.friends) == [author] && Array(author.books) == [book])
            #expect(author.name == (policy == .objectTrump ? "new" : "old") && !context.hasChanges)
            book.pages = 3
            author.name = "newer"
            try context.save()
            #expect(try Author.count(in: context) == 1)
        }
    }

    @Test(
        "New objects with one unique value become one object that has all their books",
        arguments: [MergePolicy.objectTrump, .storeTrump])
    func twoNewObjectsOfOneRowBecomeOne(_ policy: MergePolicy) throws {
        try manager.inNewContext(merging: policy) { context in
            let authors = ["first", "second", "third"].map { name in
                let author = context.author(5, name)
                context.book(name, by: author)
                return author
            }
            try context.save()
            let found = try context.fetch(FetchRequest<Author>(where: "id == 5"))
            #expect(found.count == 1 && authors.filter { $0.context != nil } == found)
            #expect(found.first?.name == (policy == .objectTrump ? "third" : "first"))
            #expect(try Book.count(in: context, where: "author.id == 5") == 3)
            #expect(found.first.map { Set($0.books.map(\.isbn)) } == ["first", "second", "third"])
            for book in try Book.all(in: context) where book.isbn != "a" { #expect(book.author === found.first) }
            found.first?.city = "x"
            try context.save()
        }
    }

    @Test("A date that is not a number fails validation")
    func aMomentThatIsNoneIsRefused() throws {
        try manager.newPrivateContext().performAndWait { context in
            let book = try #require(try Book.first(in: context))
            book.published = Date(timeIntervalSince1970: .nan)
            let error = #expect(throws: SaveError.self) { try context.save() }
            #expect(error?.faults.first?.code == .notANumber)
        }
    }
}
