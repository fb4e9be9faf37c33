import Testing
import TributaryConcurrency
import TributaryGraph
import TributaryTestSupport

/// The one object that a context has of a row, and the IDs under which the context and its children know it.
@Suite("Objects and IDs after merges") struct MergedObjectTests {
    /// Author 1 with book a, and author 2.
    private func makeManager() throws -> ContextManager {
        let manager = try ContextManager.library()
        try manager.writeAndWait { context in
            context.book("a", by: context.author(1, "old"))
            context.author(2)
        }
        return manager
    }

    private static func stored(_ manager: ContextManager) throws -> [String] {
        try manager.newPrivateContext().performAndWait { context in
            try Author.all(in: context, sort: [SortKey("id")]).map { author in
                "\(author.id) \(author.name ?? "-") \(author.city ?? "-") \(author.books.map(\.isbn).sorted())"
            }
        }
    }

    @Test("Several new objects of one row are reported as one update")
    func reportedAsUpdate() throws {
        let manager = try makeManager()
        let lastSave = Guarded<SavedChanges?>(nil)
        let observation = manager.observeSaves { saved in lastSave.withLock { $0 = saved } }
        defer { withExtendedLifetime((manager, observation)) {} }
        try manager.inNewContext(merging: .objectTrump) { context in
            let authors = ["one", "two"].map { context.author(1, $0) }
            try context.save()
            let saved = try #require(lastSave.withLock { $0 })
            #expect(saved.inserted.isEmpty && saved.updated == [authors[1].objectID])
        }
    }

    @Test(
        "A book that moved elsewhere and whose deletion is discarded is in its new list",
        arguments: [MergePolicy.storeTrump, .rollback])
    func discardedDeletion(_ policy: MergePolicy) throws {
        let manager = try makeManager()
        try manager.inNewContext(merging: policy) { context in
            let authors = try Author.all(in: context, sort: [SortKey("id")])
            let book = try #require(authors[0].books.objects.first)
            #expect(authors.map { $0.books.count } == [1, 0])
            try manager.writeAndWait { context in
                try #require(try Book.first(in: context)).author = try Author.first(in: context, where: "id == 2")
            }
            book.delete()
            try context.save()
            #expect(!book.isDeleted && book.author === authors[1] && authors.map { $0.books.count } == [0, 1])
        }
    }

    /// Merges author 1 with a new object, and releases the object.
    private static func mergeAndRelease(_ context: ManagedObjectContext) throws -> ObjectID {
        let author = context.author(1, "new")
        try context.obtainPermanentIDs(for: [author])
        try context.save()
        #expect(context.registeredObjects == [author])
        return author.objectID
    }

    @Test("A merged object that is released leaves nothing in its context")
    func releasedAfterMerge() throws {
        let manager = try makeManager()
        try manager.inNewContext(merging: .objectTrump) { context in
            let id = try Self.mergeAndRelease(context)
            #expect(context.registeredObjects.isEmpty)
            let others = (100..<300).map { context.author($0) }
            try context.save()
            #expect(context.registeredObjects == Set<ManagedObject>(others))
            let found = try #require(try Author.find(["id": 1], in: context))
            #expect(found.objectID == id && found.name == "new" && context.registeredObject(for: id) === found)
            #expect(others.allSatisfy { context.registeredObject(for: $0.objectID) === $0 })
            #expect(try Author.count(in: context) == 202 && Author.all(in: context).count == 202)
            context.reset()
            #expect(context.registeredObjects.isEmpty && found.context == nil)
        }
        #expect(try Self.stored(manager).count == 202)
    }

    @Test("Several new objects of one row leave one object with the version and the derived values of the row")
    func derivedValuesOfTheSurvivor() async throws {
        weak var stores: ObjectStores?
        try {
            let manager = try ContextManager.clerks()
            stores = manager.stores
            try manager.writeAndWait { context in
                let chief = context.clerk(1, ["name": "old"])
                for id in 2...3 { context.clerk(id).chief = chief }
            }
            try manager.inNewContext(merging: .objectTrump) { context in
                let clerks = ["one", "two"].map { context.clerk(1, ["name": $0]) }
                clerks[1].staff.insert(context.clerk(4))
                try context.save()
                #expect(clerks[1].staffCount == 3 && clerks[1].name == "two" && clerks[0].context == nil)
                context.mergePolicy = .error
                clerks[1].hours = 9
                try context.save()
                let stored = try manager.newPrivateContext().performAndWait { context in
                    try Clerk.all(in: context, sort: [SortKey("id")]).map(\.staffCount)
                }
                #expect(stored == [3, 0, 0, 0])
            }
        }()
        // Neither a context nor an object of the merge retains the stores, which queues may do a little longer.
        while stores != nil { await Task.yield() }
    }

    @Test("A child has one object of a row, with the changes of both", arguments: [false, true], [false, true])
    func oneObjectInAChild(_ changesEarlier: Bool, _ changesNew: Bool) throws {
        let (name, city) = (changesNew ? "newer" : "new", changesEarlier ? "mine" : nil)
        for hasPermanentID in [false, true] {
            for readsFirst in [false, true] {
                let label = "permanent ID: \(hasPermanentID), reads first: \(readsFirst)"
                let manager = try makeManager()
                try manager.inNewContext(merging: .objectTrump) { parent in
                    let child = parent.scratchChild()
                    let earlier = try #require(try Author.first(in: child, where: "id == 1"))
                    #expect(earlier.books.map(\.isbn) == ["a"])
                    let id = earlier.objectID
                    let new = child.author(1, "new")
                    let book = child.book("b", by: new)
                    if hasPermanentID { try child.obtainPermanentIDs(for: [new]) }
                    try child.save()
                    if changesEarlier { earlier.city = "mine" }
                    if changesNew { new.name = "newer" }
                    try parent.save()
                    #expect(try Self.stored(manager) == ["1 new - [\"a\", \"b\"]", "2 - - []"])
                    let (survivor, other) = changesEarlier && !changesNew ? (earlier, new) : (new, earlier)
                    func check() throws {
                        // Without a filter and an order, the fetch reads no values.
                        let all = try Author.all(in: child)
                        #expect(all.count == 2 && all.allSatisfy { $0.context === child })
                        #expect(try Author.fetch(in: child, where: "id == 1") == [survivor] && other.context == nil)
                        #expect(survivor.objectID == id && child.registeredObject(for: id) === survivor)
                        #expect(survivor.city == city && book.author === survivor, "\(label)")
                        if survivor === new { #expect(new.name == name, "\(label)") }
                        #expect(survivor.books.map(\.isbn).sorted() == ["a", "b"], "\(label)")
                    }
                    if readsFirst {
                        try check()
                        #expect(child.hasChanges == (changesEarlier || changesNew))
                        #expect(survivor.hasChanges == child.hasChanges)
                    }
                    try child.saveToStore()
                    #expect(!child.hasChanges && !parent.hasChanges)
                    let row = "1 \(name) \(city ?? "-") [\"a\", \"b\"]"
                    #expect(try Self.stored(manager) == [row, "2 - - []"], "\(label)")
                    try check()
                    (survivor.isActive, book.pages) = (false, 3)
                    try child.saveToStore()
                }
            }
        }
    }

    @MainActor @Test("A child with its own queue changes and deletes what it inserted", arguments: [false, true])
    func objectsOfAChild(_ isOfMain: Bool) async throws {
        let manager = try ContextManager.library()
        let main = manager.mainContext
        let parent = manager.newPrivateContext()
        let child = isOfMain ? main.privateChild() : parent.child()
        let steps = try await child.perform { context in
            var steps: [[String]] = []
            let author = context.author(1, "first")
            func save() throws {
                try context.saveToStore()
                steps.append(try Self.stored(manager))
            }
            try save()
            author.name = "second"
            let book = context.book("a", by: author)
            try save()
            book.delete()
            author.name = "third"
            try save()
            author.delete()
            try save()
            return steps
        }
        #expect(steps == [["1 first - []"], ["1 second - [\"a\"]"], ["1 third - []"], []])
        #expect(try Author.count(in: main) == 0 && !main.hasChanges)
        let hasChanges = parent.performAndWait { $0.hasChanges }
        #expect(!hasChanges)
    }

    @Test("A child saves changes that it made before its parent saved the object")
    func changesBeforeTheSaveOfTheParent() throws {
        let manager = try ContextManager.library()
        try manager.newPrivateContext().performAndWait { parent in
            let child = parent.scratchChild()
            let author = child.author(1, "first")
            try child.save()
            author.name = "second"
            try parent.save()
            #expect(try Self.stored(manager) == ["1 first - []"])
            #expect(try Author.all(in: child) == [author] && author.exists())
            try child.saveToStore()
            #expect(try Self.stored(manager) == ["1 second - []"])
        }
    }
}
