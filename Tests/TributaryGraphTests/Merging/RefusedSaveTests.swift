import Testing
import TributaryConcurrency
import TributaryGraph
import TributaryTestSupport

/// Saves that fail: the store and the context stay as they were, and the save can be repeated.
@Suite("Refused and repeated saves") struct RefusedSaveTests {

    /// What has a unique value of a new object, which can therefore not be merged into a row.
    enum Holder: CaseIterable, Sendable {
        case siblingRow, subentityRow, twoRows, siblingObject

        var entity: String { self == .subentityRow ? "Piece" : self == .twoRows ? "Clerk" : "Author" }
        var property: String { self == .subentityRow ? "code" : "id" }

        /// The unique values of the new object.
        var values: [String: FilterValue] {
            switch self {
            case .siblingRow: ["id": 1]
            case .subentityRow: ["code": 1]
            case .twoRows: ["id": 2, "badge": "b3"]
            case .siblingObject: ["id": 5]
            }
        }

        /// Under the other policies, an object with unique values of two rows is merged into the first of them.
        var policies: [MergePolicy] { self == .twoRows ? [.error, .objectTrump, .overwrite] : MergeCase.policies }
    }

    @Test(
        "A unique value that forbids a merge is refused until it is changed", arguments: Holder.allCases,
        [false, true])
    func refusedValues(_ holder: Holder, _ isLoaded: Bool) throws {
        for policy in holder.policies { try refuse(holder, policy, isLoaded) }
    }

    private func refuse(_ holder: Holder, _ policy: MergePolicy, _ isLoaded: Bool) throws {
        let manager = try ContextManager(
            model: Model(
                Author.self, Reader.self, Book.self, Series.self, Clerk.self, Piece.self, FinePiece.self, Keeper.self,
                Label.self), store: .memory)
        try manager.writeAndWait { context in
            context.insert(Reader.self).id = 1
            for id in 2...3 { context.clerk(id, badge: "b\(id)") }
            let piece = context.insert(FinePiece.self)
            (piece.code, piece.finish) = (1, "a finish with a long name")
        }
        func all(_ context: ManagedObjectContext) throws -> [ManagedObject] {
            try ["Person", "Piece"].flatMap { try context.fetch(FetchRequest<ManagedObject>(entity: $0)) }
        }
        func rows() throws -> [ObjectID: [String: FilterValue]] {
            try manager.newPrivateContext().performAndWait { context in
                Dictionary(uniqueKeysWithValues: try all(context).map { ($0.objectID, $0.committedValues) })
            }
        }
        let before = try rows()
        try manager.inNewContext(merging: policy) { context in
            let loaded = try isLoaded ? all(context) : []
            if holder == .siblingObject { context.insert(Reader.self).id = 5 }
            let object = try context.insert(entity: holder.entity)
            for (name, value) in holder.values { try object.setValue(value, forKey: name) }
            try object.setValue(.string("new"), forKey: "name")
            if let author = object as? Author { context.book("a", by: author) }
            let (id, inserted) = (object.objectID, context.insertedObjects)
            for _ in 0..<2 {
                let error = #expect(throws: SaveError.self) { try context.save() }
                #expect(error?.code == .uniqueness && error?.conflicts.map(\.objectID) == [id], "\(policy)")
                #expect(error?.conflicts.first?.uniqueProperties == [holder.property], "\(policy)")
                #expect(object.isInserted && object.objectID == id && object["name"] == .string("new"), "\(policy)")
                #expect(context.insertedObjects == inserted && context.hasChanges, "\(policy)")
                #expect(try rows() == before, "\(policy)")
            }
            #expect(loaded.allSatisfy { $0.context === context && $0.committedValues == before[$0.objectID] })
            try object.setValue(.integer(8), forKey: holder.property)
            if holder == .twoRows { try object.setValue(.string("b8"), forKey: "badge") }
            try context.save()
            #expect(!object.objectID.isTemporary && !context.hasChanges)
            let found = try rows()
            #expect(found[object.objectID] == object.committedValues && before.allSatisfy { found[$0.key] == $0.value })
            #expect(found.count == before.count + (holder == .siblingObject ? 2 : 1), "\(policy)")
        }
    }

    /// What a failed save leaves pending.
    enum Pending: CaseIterable, Sendable { case change, reference, insertion, insertionWithPermanentID, deletion }

    /// What a context knows of an object.
    private struct ObjectState: Equatable {
        let id: ObjectID
        let flags: [Bool]
        let changed: [String: FilterValue]
        let committed: [String: FilterValue]

        init(_ object: ManagedObject) {
            id = object.objectID
            flags = [object.isInserted, object.isUpdated, object.isDeleted]
            (changed, committed) = (object.changedValues, object.committedValues)
        }
    }

    private static let changed = ["1 theirs theirs", "2 first -", "3 first -"]

    /// Authors 1 to 3, book b of author 3, and reader 9.
    private func makeManager() throws -> ContextManager {
        let manager = try ContextManager.library()
        try manager.writeAndWait { context in
            let authors = (1...3).map { context.author($0, "first") }
            context.book("b", by: authors[2])
            context.insert(Reader.self).id = 9
        }
        return manager
    }

    private func stored(_ manager: ContextManager) throws -> [String] {
        try manager.newPrivateContext().performAndWait { context in
            try Author.all(in: context, sort: [SortKey("id")]).map { "\($0.id) \($0.name ?? "-") \($0.city ?? "-")" }
        }
    }

    /// Changes author 1 in another context, and gives author 2 two books, without which it cannot be deleted.
    private func changeElsewhere(_ manager: ContextManager) throws {
        try manager.writeAndWait { context in
            let authors = try Author.all(in: context, sort: [SortKey("id")])
            (authors[0].name, authors[0].city) = ("theirs", "theirs")
            context.book("a", by: authors[1])
            let book = try #require(try Book.find(["isbn": "b"], in: context))
            (book.author, book.pages) = (authors[1], 2)
        }
    }

    @Test("A failed save leaves all pending changes as they were", arguments: Pending.allCases, MergeCase.policies)
    func failedSaves(_ pending: Pending, _ policy: MergePolicy) throws {
        for failsAtCommit in [false, true] { try fail(pending, policy, failsAtCommit) }
    }

    private func fail(_ pending: Pending, _ policy: MergePolicy, _ failsAtCommit: Bool) throws {
        let manager = try makeManager()
        try manager.inNewContext(merging: policy) { context in
            let authors = try Author.all(in: context, sort: [SortKey("id")])
            let book = try #require(try Book.first(in: context))
            #expect(authors.map { $0.books.count } == [0, 0, 1])
            try changeElsewhere(manager)
            var objects: [ManagedObject] = [authors[0], authors[1], authors[2], book]
            switch pending {
            case .change: authors[0].name = "mine"
            case .reference: book.author = authors[0]
            case .insertion, .insertionWithPermanentID:
                let author = context.author(1, "new")
                if pending != .insertion { try context.obtainPermanentIDs(for: [author]) }
                objects.append(author)
            case .deletion: authors[0].delete()
            }
            // The deleted author has books in the store, and the new one has the ID of a reader.
            if failsAtCommit { authors[1].delete() } else { objects.append(context.author(9)) }
            context.processPendingChanges()
            let states = objects.map(ObjectState.init)
            let code: SaveError.Code = failsAtCommit ? .conflict : .uniqueness
            let books = pending == .reference ? [book] : []
            for _ in 0..<2 {
                let error = #expect(throws: SaveError.self) { try context.save() }
                if policy != .error { #expect(error?.code == code) }
                #expect(objects.map(ObjectState.init) == states, "fails at the commit: \(failsAtCommit)")
                #expect(objects.allSatisfy { context.registeredObject(for: $0.objectID) === $0 })
                #expect(Array(authors[0].books) == books)
            }
            #expect(try stored(manager) == Self.changed)
            context.rollback()
            #expect(!context.hasChanges && authors.allSatisfy { !$0.hasChanges && !$0.isDeleted })
            // The context has the row as it was loaded or as it is stored, and not a mixture.
            let values = [authors[0].name, authors[0].city]
            #expect(values == ["first", nil] || values == ["theirs", "theirs"])
            #expect(book.author !== authors[0] && !authors[0].books.contains(book))
            try context.save()
        }
        #expect(try stored(manager) == Self.changed, "fails at the commit: \(failsAtCommit)")
    }

    @Test(
        "A failed save succeeds when its cause is removed",
        arguments: [MergePolicy.rollback, .storeTrump, .objectTrump], [false, true])
    func correctedSaves(_ policy: MergePolicy, _ failsAtCommit: Bool) throws {
        let manager = try makeManager()
        let lastSave = Guarded<SavedChanges?>(nil)
        let observation = manager.observeSaves { saved in lastSave.withLock { $0 = saved } }
        defer { withExtendedLifetime(observation) {} }
        try manager.inNewContext(merging: policy) { context in
            let authors = try Author.all(in: context, sort: [SortKey("id")])
            #expect(authors.map { $0.books.count } == [0, 0, 1])
            try changeElsewhere(manager)
            authors[0].name = "mine"
            let refused = failsAtCommit ? nil : context.author(9, "new")
            if failsAtCommit { authors[1].delete() }
            #expect(throws: SaveError.self) { try context.save() }
            refused?.id = 4
            if failsAtCommit {
                // The deletion cascades to the books, which the context knows after the merge.
                context.merge(try #require(lastSave.withLock { $0 }))
                #expect(authors[0].name == "mine" && authors[0].city == "theirs" && authors[0].isUpdated)
            }
            try context.save()
            #expect(authors[0].city == "theirs" && !context.hasChanges)
        }
        let merged = policy == .objectTrump ? "1 mine theirs" : "1 theirs theirs"
        let expected =
            failsAtCommit ? ["1 mine theirs", "3 first -"] : [merged, "2 first -", "3 first -", "4 new -"]
        #expect(try stored(manager) == expected)
        let count = try manager.newPrivateContext().performAndWait { try Book.count(in: $0) }
        #expect(count == (failsAtCommit ? 0 : 2))
    }
}
