import Testing
import TributaryGraph
import TributaryTestSupport

/// A model of its own for a hook: the validation of number 1 inserts number 2.
private final class PushedTwin: ManagedObject {
    @Attribute var number: Int

    override func validateForInsert() throws {
        try super.validateForInsert()
        guard number == 1, let context, context.name == "twins", context.insertedObjects.count == 1
        else { return }
        context.insert(PushedTwin.self).number = 2
    }
}

/// Saves of a child whose parent no longer holds an object: its changes are saved or refused, never dropped.
@MainActor @Suite struct ChildPushTests {
    private let library: Library

    init() throws { library = try Library() }

    private var main: ManagedObjectContext { library.context }

    private func stored(in manager: ContextManager? = nil) throws -> [String] {
        try (manager ?? library.manager).newPrivateContext().performAndWait { context in
            try Author.all(in: context).map { author in
                "\(author.id) \(author.name ?? "-") \(author.books.map(\.isbn).sorted())"
            }
        }
    }

    @Test("A child can change and delete a saved object after its parent is reset")
    func anObjectThatTheParentHasSavedAndForgotten() throws {
        let child = main.scratchChild()
        let author = child.author(1, "first")
        try child.saveToStore()
        main.reset()
        author.name = "second"
        let book = child.book("a", by: author)
        try child.saveToStore()
        #expect(!child.hasChanges && !main.hasChanges)
        #expect(try stored() == ["1 second [\"a\"]"])
        #expect(try Author.all(in: child) == [author] && Array(author.books) == [book])
        main.reset()
        author.delete()
        try child.saveToStore()
        #expect(try stored().isEmpty)
    }

    /// Discards the unsaved changes of a context, the main one by default, by a reset or a rollback.
    private func discardChanges(_ isReset: Bool, in context: ManagedObjectContext? = nil) {
        let context = context ?? main
        if isReset { context.reset() } else { context.rollback() }
    }

    @Test(
        "Saving an object with a permanent ID that the parent discarded is a conflict",
        arguments: [MergePolicy.error, .objectTrump], [false, true])
    func anObjectWithAPermanentIDThatTheParentDiscarded(_ policy: MergePolicy, _ isReset: Bool) throws {
        for isAssignedAfter in [false, true] { try saveDiscardedObject(policy, isReset, isAssignedAfter) }
    }

    /// Assigns the object's permanent ID before the parent discards the object, or after.
    private func saveDiscardedObject(_ policy: MergePolicy, _ isReset: Bool, _ isAssignedAfter: Bool) throws {
        let manager = try ContextManager.library()
        let main = manager.mainContext
        main.mergePolicy = policy
        let child = main.scratchChild()
        let author = child.author(1, "first")
        if !isAssignedAfter { try child.obtainPermanentIDs(for: [author]) }
        try child.save()
        discardChanges(isReset, in: main)
        if isAssignedAfter { try child.obtainPermanentIDs(for: [author]) }
        author.name = "second"
        let error = #expect(throws: SaveError.self) { try child.saveToStore() }
        #expect(error?.code == .conflict && error?.conflicts.map(\.objectID) == [author.objectID])
        #expect(author.name == "second" && child.hasChanges && !main.hasChanges)
        // Changes that do not involve the discarded object can be saved.
        child.rollback()
        child.author(2, "other")
        try child.saveToStore()
        #expect(try stored(in: manager) == ["2 other []"])
    }

    /// The stored replies, each with the IDs of the tweets that it mentions.
    private func mentions(in manager: ContextManager) throws -> [String] {
        try manager.newPrivateContext().performAndWait { context in
            try Reply.all(in: context).map { reply in "\(reply.text ?? "-") \(reply.mentions.map(\.id).sorted())" }
        }
    }

    @Test(
        "A one-way to-many link to an object that the parent discarded is a conflict",
        arguments: [false, true], [false, true])
    func aLinkToAnObjectThatTheParentDiscarded(_ isNew: Bool, _ hasNumber: Bool) throws {
        for isReset in [false, true] { try linkToDiscardedObject(isNew, hasNumber, isReset) }
    }

    private func linkToDiscardedObject(_ isNew: Bool, _ hasNumber: Bool, _ isReset: Bool) throws {
        let stage = try SeedStage()
        let main = stage.context
        if !isNew { main.insert(Reply.self).text = "stored" }
        stage.tweet(1, "kept")
        try main.save()
        let child = main.scratchChild()
        // An object of a subentity, so that its entity must be read from its row.
        let tweet = child.insert(PinnedTweet.self)
        tweet.id = 2
        if hasNumber { try child.obtainPermanentIDs(for: [tweet]) }
        try child.save()
        let reply = try isNew ? child.insert(Reply.self) : #require(try Reply.first(in: child))
        reply.text = "reply"
        let here = try #require(try Tweet.first(in: child, where: "text == 'kept'"))
        discardChanges(isReset, in: main)
        for other in [tweet, here] { reply.mentions.insert(other) }
        let error = #expect(throws: SaveError.self) { try child.saveToStore() }
        #expect(error?.code == .conflict && error?.conflicts.map(\.objectID) == [tweet.objectID])
        #expect(reply.mentions.count == 2 && child.hasChanges && !main.hasChanges)
        reply.mentions.remove(tweet)
        try child.saveToStore()
        #expect(try mentions(in: stage.manager) == ["reply [1]"])
    }

    @Test("A child saves no link to a new object that it deleted itself", arguments: [false, true])
    func aLinkToAnObjectThatTheChildDeleted(_ hasNumber: Bool) throws {
        let stage = try SeedStage()
        let child = stage.context.scratchChild()
        let reply = child.insert(Reply.self)
        reply.text = "reply"
        for id in [1, 2] {
            let tweet = child.insert(PinnedTweet.self)
            tweet.id = id
            if hasNumber { try child.obtainPermanentIDs(for: [tweet]) }
            reply.mentions.insert(tweet)
            if id == 2 { tweet.delete() }
        }
        try child.saveToStore()
        #expect(try mentions(in: stage.manager) == ["reply [1]"])
    }

    @Test(
        "Saving an object that the contexts above discarded is a conflict",
        arguments: [MergePolicy.error, .objectTrump])
    func anObjectThatAContextFurtherAboveDiscarded(_ policy: MergePolicy) throws {
        let middle = main.scratchChild()
        middle.mergePolicy = policy
        let child = middle.scratchChild()
        let author = child.author(1, "first")
        try child.obtainPermanentIDs(for: [author])
        try child.save()
        try middle.save()
        middle.reset()
        main.rollback()
        author.name = "second"
        let error = #expect(throws: SaveError.self) { try child.saveToStore() }
        #expect(error?.code == .conflict && error?.conflicts.map(\.objectID) == [author.objectID])
        #expect(author.name == "second" && child.hasChanges && !middle.hasChanges && !main.hasChanges)
    }

    @Test("An object that validation inserts in a child is saved exactly once")
    func whatValidationMakes() throws {
        let manager = try ContextManager(model: Model(PushedTwin.self), store: .memory)
        let child = manager.mainContext.scratchChild(name: "twins")
        child.insert(PushedTwin.self).number = 1
        try child.saveToStore()
        #expect(!child.hasChanges && child.insertedObjects.isEmpty)
        try child.saveToStore()
        let stored = try manager.newPrivateContext().performAndWait { try PushedTwin.all(in: $0).map(\.number) }
        #expect(stored.sorted() == [1, 2])
    }

    @Test("Saving an object that the parent discarded is a conflict until it is rolled back", arguments: [false, true])
    func anObjectThatTheParentDiscarded(_ isReset: Bool) throws {
        let child = main.scratchChild()
        let author = child.author(1, "first")
        try child.save()
        discardChanges(isReset)
        author.name = "second"
        for _ in 0..<2 {
            let error = #expect(throws: SaveError.self) { try child.saveToStore() }
            #expect(error?.code == .conflict && error?.conflicts.map(\.objectID) == [author.objectID])
            #expect(author.name == "second" && author.hasChanges && child.hasChanges && !main.hasChanges)
        }
        #expect(try stored().isEmpty)
        child.rollback()
        #expect(author.name == "first" && !child.hasChanges)
        try child.saveToStore()
        #expect(try stored().isEmpty)
    }

    @Test(
        "A new object's reference to one that the parent discarded is a conflict",
        arguments: [false, true], [false, true])
    func anInsertedObjectThatLeadsThere(_ isReset: Bool, _ hasNumber: Bool) throws {
        let child = main.scratchChild()
        let author = child.author(1, "first")
        if hasNumber { try child.obtainPermanentIDs(for: [author]) }
        try child.save()
        discardChanges(isReset)
        let book = child.book("a", by: author)
        let error = #expect(throws: SaveError.self) { try child.saveToStore() }
        #expect(error?.code == .conflict && error?.conflicts.first?.objectID == author.objectID)
        #expect(book.isInserted && book.author === author && Array(author.books) == [book] && child.hasChanges)
        #expect(!main.hasChanges && main.insertedObjects.isEmpty)
        child.rollback()
    }

    /// The label has no changes of its own, so that only the reference shows that the parent discarded it.
    @Test(
        "A one-way reference to an object that the parent discarded is a conflict",
        arguments: [false, true], [false, true])
    func aReferenceThatIsKnownOnOneSideOnly(_ isReset: Bool, _ isNew: Bool) throws {
        let manager = try ContextManager(model: Workshop.model(), store: .memory)
        let main = manager.mainContext
        if !isNew { main.insert(Piece.self).code = 1 }
        try main.save()
        let child = main.scratchChild()
        let label = child.insert(Label.self)
        label.code = 1
        try child.save()
        discardChanges(isReset, in: main)
        let piece = try isNew ? child.insert(Piece.self) : #require(try Piece.first(in: child))
        piece.code = 2
        piece.pointer = label
        let error = #expect(throws: SaveError.self) { try child.saveToStore() }
        #expect(error?.code == .conflict && error?.conflicts.map(\.objectID) == [label.objectID])
        #expect(piece.pointer === label && piece.hasChanges && child.hasChanges && !main.hasChanges)
        // Without the reference, the remaining changes can be saved.
        piece.pointer = nil
        try child.saveToStore()
        #expect(!child.hasChanges && !main.hasChanges)
        #expect(try manager.newPrivateContext().performAndWait { try Piece.all(in: $0).map(\.code) } == [2])
    }

    /// All books change and move to other authors while the parent holds none of them.
    @Test("A child's save reads, in batches, the rows that its parent does not hold")
    func whatTheParentDoesNotHoldIsReadTogether() throws {
        let recorder = StatementRecorder()
        let library = try Library(options: recorder.options)
        let main = library.context
        let count = 2000
        for number in 0..<count { main.book("\(number)", by: main.author(number)) }
        try main.save()
        main.reset()
        let child = main.scratchChild()
        let books = try Book.all(in: child)
        let authors = books.map(\.author)
        main.reset()
        for (book, author) in zip(books, authors.dropFirst() + authors.prefix(1)) {
            book.pages = 3
            book.author = author
        }
        let reads = try recorder.selects { try child.saveToStore() }
        #expect(reads.count <= count / 50, "\(reads.count)")
        try library.manager.newPrivateContext().performAndWait { context in
            let stored = try Book.all(in: context)
            #expect(stored.map(\.pages) == Array(repeating: 3, count: count))
            #expect(stored.allSatisfy { $0.author?.id == ((Int($0.isbn) ?? -1) + 1) % count })
        }
    }
}
