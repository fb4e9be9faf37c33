import Testing
import TributaryGraph
import TributaryTestSupport

/// Somebody to whom notes lead without being known there.
private final class PushedWriter: ManagedObject {
    @Attribute(.unique) var id: Int
}

private final class PushedNote: ManagedObject {
    @Attribute var text: String
    @Relationship(onDelete: .noAction) var writer: PushedWriter?
}

/// Something that leads to labels which do not lead back.
private final class PushedHolder: ManagedObject {
    @Attribute var name: String
    @Relationship var pointers: ToMany<PushedLabel>
}

private class PushedLabel: ManagedObject {
    @Attribute var text: String
}

/// Makes the kind of a label something to be read.
private final class PushedSticker: PushedLabel {}

/// Number 1 makes number 2 when it is looked at.
private final class PushedTwin: ManagedObject {
    @Attribute var number: Int

    override func validateForInsert() throws {
        try super.validateForInsert()
        guard number == 1, let context, context.name == "twins", context.insertedObjects.count == 1
        else { return }
        context.insert(PushedTwin.self).number = 2
    }
}

/// What a child hands on of an object that its parent has forgotten arrives, or is refused; it is never dropped.
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

    @Test func anObjectThatTheParentHasSavedAndForgotten() throws {
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

    /// Lets the parent give up what it has not saved, by a rollback or altogether.
    private func giveUp(_ isReset: Bool, in context: ManagedObjectContext? = nil) {
        let context = context ?? main
        if isReset { context.reset() } else { context.rollback() }
    }

    @Test(arguments: [MergePolicy.error, .objectTrump], [false, true])
    func anObjectThatTheParentHasGivenUpByItsNumber(_ policy: MergePolicy, _ isReset: Bool) throws {
        for isLate in [false, true] { try saveWhatIsGivenUp(policy, isReset, isLate) }
    }

    /// The object gets its number before it is given up, or late: afterwards.
    private func saveWhatIsGivenUp(_ policy: MergePolicy, _ isReset: Bool, _ isLate: Bool) throws {
        let manager = try ContextManager.library()
        let main = manager.mainContext
        main.mergePolicy = policy
        let child = main.scratchChild()
        let author = child.author(1, "first")
        if !isLate { try child.obtainPermanentIDs(for: [author]) }
        try child.save()
        giveUp(isReset, in: main)
        if isLate { try child.obtainPermanentIDs(for: [author]) }
        author.name = "second"
        let error = #expect(throws: SaveError.self) { try child.saveToStore() }
        #expect(error?.code == .conflict && error?.conflicts.map(\.objectID) == [author.objectID])
        #expect(author.name == "second" && child.hasChanges && !main.hasChanges)
        // What has to do with nothing of it is saved.
        child.rollback()
        child.author(2, "other")
        try child.saveToStore()
        #expect(try stored(in: manager) == ["2 other []"])
    }

    /// A link that nothing leads back from is known on one side only.
    @Test(arguments: [false, true], [false, true])
    func aLinkToWhatTheParentHasGivenUp(_ isNew: Bool, _ hasNumber: Bool) throws {
        for isReset in [false, true] { try linkToWhatIsGivenUp(isNew, hasNumber, isReset) }
    }

    private func linkToWhatIsGivenUp(_ isNew: Bool, _ hasNumber: Bool, _ isReset: Bool) throws {
        let manager = try ContextManager(
            model: Model(PushedHolder.self, PushedLabel.self, PushedSticker.self), store: .memory)
        let main = manager.mainContext
        if !isNew { main.insert(PushedHolder.self).name = "stored" }
        let kept = main.insert(PushedLabel.self)
        kept.text = "kept"
        try main.save()
        let child = main.scratchChild()
        let label = child.insert(PushedSticker.self)
        label.text = "given up"
        if hasNumber { try child.obtainPermanentIDs(for: [label]) }
        try child.save()
        let holder = try isNew ? child.insert(PushedHolder.self) : #require(try PushedHolder.first(in: child))
        holder.name = "holder"
        let here = try #require(try PushedLabel.first(in: child, where: "text == 'kept'"))
        giveUp(isReset, in: main)
        for other in [label, here] { holder.pointers.insert(other) }
        let error = #expect(throws: SaveError.self) { try child.saveToStore() }
        #expect(error?.code == .conflict && error?.conflicts.map(\.objectID) == [label.objectID])
        #expect(holder.pointers.count == 2 && child.hasChanges && !main.hasChanges)
        holder.pointers.remove(label)
        try child.saveToStore()
        let stored = try manager.newPrivateContext().performAndWait { context in
            try PushedHolder.all(in: context).map { [$0.name] + $0.pointers.map(\.text) }
        }
        #expect(stored == [["holder", "kept"]])
    }

    @Test(arguments: [false, true]) func aLinkToWhatTheChildHasGivenUpItself(_ hasNumber: Bool) throws {
        let manager = try ContextManager(
            model: Model(PushedHolder.self, PushedLabel.self, PushedSticker.self), store: .memory)
        let child = manager.mainContext.scratchChild()
        let holder = child.insert(PushedHolder.self)
        holder.name = "holder"
        for text in ["kept", "gone"] {
            let label = child.insert(PushedSticker.self)
            label.text = text
            if hasNumber { try child.obtainPermanentIDs(for: [label]) }
            holder.pointers.insert(label)
            if text == "gone" { label.delete() }
        }
        try child.saveToStore()
        let stored = try manager.newPrivateContext().performAndWait { context in
            try PushedHolder.all(in: context).map { $0.pointers.map(\.text) }
        }
        #expect(stored == [["kept"]])
    }

    @Test(arguments: [MergePolicy.error, .objectTrump]) func whatIsGivenUpFurtherAbove(_ policy: MergePolicy) throws {
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

    /// An object that is only made while another is validated is handed on and settled with it, once.
    @Test func whatValidationMakes() throws {
        let manager = try ContextManager(model: Model(PushedTwin.self), store: .memory)
        let child = manager.mainContext.scratchChild(name: "twins")
        child.insert(PushedTwin.self).number = 1
        try child.saveToStore()
        #expect(!child.hasChanges && child.insertedObjects.isEmpty)
        try child.saveToStore()
        let stored = try manager.newPrivateContext().performAndWait { try PushedTwin.all(in: $0).map(\.number) }
        #expect(stored.sorted() == [1, 2])
    }

    @Test(arguments: [false, true]) func anObjectThatTheParentHasGivenUp(_ isReset: Bool) throws {
        let child = main.scratchChild()
        let author = child.author(1, "first")
        try child.save()
        giveUp(isReset)
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

    @Test(arguments: [false, true], [false, true])
    func aNewObjectThatLeadsThere(_ isReset: Bool, _ hasNumber: Bool) throws {
        let child = main.scratchChild()
        let author = child.author(1, "first")
        if hasNumber { try child.obtainPermanentIDs(for: [author]) }
        try child.save()
        giveUp(isReset)
        let book = child.book("a", by: author)
        let error = #expect(throws: SaveError.self) { try child.saveToStore() }
        #expect(error?.code == .conflict && error?.conflicts.first?.objectID == author.objectID)
        #expect(book.isInserted && book.author === author && Array(author.books) == [book] && child.hasChanges)
        #expect(!main.hasChanges && main.insertedObjects.isEmpty)
        child.rollback()
    }

    /// The writer has changed nothing, and so is not handed on: only the reference tells of her.
    @Test(arguments: [false, true], [false, true])
    func aReferenceThatIsKnownOnOneSideOnly(_ isReset: Bool, _ isNew: Bool) throws {
        let manager = try ContextManager(model: Model(PushedWriter.self, PushedNote.self), store: .memory)
        let main = manager.mainContext
        if !isNew { main.insert(PushedNote.self).text = "a" }
        try main.save()
        let child = main.scratchChild()
        let writer = child.insert(PushedWriter.self)
        writer.id = 1
        try child.save()
        if isReset { main.reset() } else { main.rollback() }
        let note = try isNew ? child.insert(PushedNote.self) : #require(try PushedNote.first(in: child))
        note.text = "b"
        note.writer = writer
        let error = #expect(throws: SaveError.self) { try child.saveToStore() }
        #expect(error?.code == .conflict && error?.conflicts.map(\.objectID) == [writer.objectID])
        #expect(note.writer === writer && note.hasChanges && child.hasChanges && !main.hasChanges)
        // Where nothing leads there any more, the rest is saved.
        note.writer = nil
        try child.saveToStore()
        #expect(!child.hasChanges && !main.hasChanges)
        #expect(try manager.newPrivateContext().performAndWait { try PushedNote.all(in: $0).map(\.text) } == ["b"])
    }

    /// Books change and go to other authors, and the parent holds none of them.
    @Test func whatTheParentDoesNotHoldIsReadTogether() throws {
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
