import Testing
import TributaryGraph
import TributaryTestSupport

/// Saves of objects that another context has changed or deleted in the meantime.
@Suite struct ConflictTests {
    private let manager: ContextManager
    private let id: ObjectID

    /// An author without a city.
    init() throws {
        manager = try ContextManager.library()
        id = try manager.writeAndWait { context in
            let author = context.author(1, "first")
            try context.save()
            return author.objectID
        }
    }

    private func author(_ context: ManagedObjectContext) throws -> Author {
        try context.existingObject(Author.self, with: id)
    }

    /// Loads the author, changes it elsewhere with `theirs` and here with `mine`, and saves.
    private func collide(
        _ policy: MergePolicy, theirs: (Author) -> Void, mine: (Author) -> Void,
        after: (ManagedObjectContext, Author) throws -> Void = { _, _ in }
    ) throws {
        try manager.inNewContext(merging: policy) { context in
            let author = try author(context)
            #expect(author.name == "first")
            try manager.writeAndWait { theirs(try self.author($0)) }
            mine(author)
            try context.save()
            #expect(!context.hasChanges)
            try after(context, author)
        }
    }

    private func stored() throws -> [String?] {
        try manager.newPrivateContext().performAndWait { context in
            try Author.all(in: context, sort: [SortKey("id")]).flatMap { [$0.name, $0.city] }
        }
    }

    @Test("The error policy reports the conflict and keeps all changes pending")
    func theErrorPolicyRefusesAndLeavesAllPending() throws {
        try manager.newPrivateContext().performAndWait { context in
            let author = try author(context)
            author.city = "mine"
            let other = context.insert(Reader.self)
            other.id = 7
            try manager.writeAndWait { try self.author($0).name = "theirs" }
            let error = #expect(throws: SaveError.self) { try context.save() }
            #expect(error?.code == .conflict && error?.conflicts.count == 1)
            let conflict = try #require(error?.conflicts.first)
            #expect(conflict.objectID == id && conflict.oldVersion == 1 && conflict.newVersion == 2)
            #expect(conflict.loadedValues["name"] == .string("first"))
            #expect(conflict.storedValues?["name"] == .string("theirs"))
            #expect(author.isUpdated && author.city == "mine" && author.name == "first")
            #expect(other.isInserted && other.objectID.isTemporary && context.hasChanges)
            #expect(try self.stored() == ["theirs", nil])
            // After the stored values are merged, the save succeeds.
            try context.refresh(author, mergeChanges: true)
            #expect(author.name == "theirs" && author.city == "mine")
            try context.save()
            #expect(!other.objectID.isTemporary && !context.hasChanges)
            #expect(try self.stored() == ["theirs", "mine"])
        }
    }

    @Test(
        "Each merge policy decides which side's values win",
        arguments: [
            (.storeTrump, ["theirs", "mine"], "the store wins where both have changed"),
            (.objectTrump, ["mine", "mine"], "the object wins where both have changed"),
            (.overwrite, ["mine", "mine"], "all values of the object"),
            (.rollback, ["theirs", nil], "what the store has"),
        ] as [(MergePolicy, [String?], String)])
    func policiesByValue(_ policy: MergePolicy, _ values: [String?], _ reason: String) throws {
        try collide(policy, theirs: { $0.name = "theirs" }) { author in
            author.name = "mine"
            author.city = "mine"
        } after: { _, author in
            #expect([author.name, author.city] == values, "\(reason)")
            author.city = "later"
        }
        #expect(try stored() == values, "\(reason)")
    }

    @Test(
        "Values that only the other context changed survive, except under overwrite",
        arguments: [(MergePolicy.storeTrump, "theirs"), (.objectTrump, "theirs"), (.overwrite, "first")])
    func whatOnlyTheOtherHasChangedIsTakenOver(_ policy: MergePolicy, _ name: String) throws {
        try collide(policy, theirs: { $0.name = "theirs" }, mine: { $0.city = "mine" }) { context, author in
            #expect(author.name == name && author.city == "mine")
            author.city = "again"
            try context.save()
        }
        #expect(try stored() == [name, "again"])
    }

    @Test(
        "Each merge policy resolves conflicting to-one references, inverse included",
        arguments: [(MergePolicy.storeTrump, 2), (.objectTrump, 3), (.overwrite, 3), (.rollback, 2)])
    func relationshipsToOne(_ policy: MergePolicy, _ expected: Int) throws {
        try manager.writeAndWait { context in
            for number in 2...3 { context.author(number) }
            context.book("x", by: try self.author(context))
        }
        func move(_ context: ManagedObjectContext, to number: Int) throws {
            let book = try #require(try Book.first(in: context))
            book.author = try Author.first(in: context, where: "id == \(number)")
        }
        try manager.inNewContext(merging: policy) { context in
            let book = try #require(try Book.first(in: context))
            #expect(book.author?.id == 1)
            try manager.writeAndWait { try move($0, to: 2) }
            try move(context, to: 3)
            try context.save()
            #expect(book.author?.id == expected, "\(policy)")
            for author in try Author.all(in: context) {
                #expect(author.books.contains(book) == (author.id == expected), "\(policy), \(author.id)")
            }
        }
        try manager.newPrivateContext().performAndWait { context in
            let book = try Book.first(in: context)
            #expect(book?.author?.id == expected, "\(policy)")
        }
    }

    @Test(
        "A change to a row deleted elsewhere conflicts, or is dropped by the policy",
        arguments: [MergePolicy.error, .storeTrump, .objectTrump, .overwrite, .rollback])
    func deletedMeanwhile(_ policy: MergePolicy) throws {
        try manager.inNewContext(merging: policy) { context in
            let author = try self.author(context)
            author.name = "mine"
            try manager.writeAndWait { try self.author($0).delete() }
            guard policy != .error else {
                let error = #expect(throws: SaveError.self) { try context.save() }
                #expect(error?.conflicts.first?.storedValues == nil && error?.conflicts.first?.newVersion == 0)
                #expect(author.isUpdated && author.name == "mine")
                context.rollback()
                return
            }
            try context.save()
            #expect(!context.hasChanges && !author.hasChanges)
            #expect(try Author.all(in: context).isEmpty)
        }
        #expect(try stored().isEmpty, "\(policy)")
    }

    @Test(
        "The deletion of an object changed elsewhere follows the merge policy",
        arguments: [MergePolicy.error, .storeTrump, .objectTrump, .overwrite, .rollback])
    func deletingWhatWasChanged(_ policy: MergePolicy) throws {
        try manager.inNewContext(merging: policy) { context in
            let author = try self.author(context)
            try manager.writeAndWait { try self.author($0).name = "theirs" }
            author.delete()
            switch policy {
            case .error:
                let error = #expect(throws: SaveError.self) { try context.save() }
                #expect(error?.code == .conflict && author.isDeleted)
                context.rollback()
                #expect(!author.isDeleted && author.name == "first")
            case .storeTrump, .rollback:
                try context.save()
                #expect(!author.isDeleted && author.name == "theirs" && author.context === context)
            default:
                try context.save()
                #expect(author.context == nil)
            }
        }
        let isKept = policy != .objectTrump && policy != .overwrite
        #expect(try stored() == (isKept ? ["theirs", nil] : []), "\(policy)")
    }

    @Test("Two contexts can delete the same object without a conflict")
    func bothDelete() throws {
        try manager.newPrivateContext().performAndWait { context in
            let author = try author(context)
            author.delete()
            try manager.writeAndWait { try self.author($0).delete() }
            try context.save()
            #expect(author.context == nil && !context.hasChanges)
        }
    }

    @Test("Changes of different objects do not conflict")
    func changesOfDifferentObjectsAreNoConflict() throws {
        try manager.newPrivateContext().performAndWait { context in
            let author = try author(context)
            try manager.writeAndWait { $0.insert(Reader.self).id = 9 }
            author.name = "mine"
            try context.save()
            #expect(try self.stored() == ["mine", nil])
        }
    }
}
