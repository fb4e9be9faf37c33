import Testing
import TributaryGraph
import TributaryTestSupport

/// A conflict in one of several stores prevents the save in all of them.
@Suite struct SeveralStoresTests {
    private static let classes: [ManagedObject.Type] = [Author.self, Reader.self, Book.self, Series.self]

    /// Books in one store, notes in another.
    private func manager(_ order: [String]) throws -> ContextManager {
        var declaration = try Model(Author.self, Reader.self, Book.self, Series.self).declaration
        declaration.configurations = [.init("Books", declaration.entities.map(\.name)), .init("Notes", ["Note"])]
        declaration.entities.append(makeEntity("Note", [makeAttribute("text")]))
        return try ContextManager(
            model: Model(declaration), classes: Self.classes, stores: order.map { StorePlacement($0, at: .memory) })
    }

    private static let notes = FetchRequest<ManagedObject>(entity: "Note")

    @Test(
        "A dangling reference in one store is detected before any store commits",
        arguments: [["Books", "Notes"], ["Notes", "Books"]])
    func aReferenceThatLeadsNowhereIsFoundBeforeTheFirstCommit(_ order: [String]) throws {
        let manager = try manager(order)
        try manager.writeAndWait { _ = $0.author(1) }
        try manager.newPrivateContext().performAndWait { context in
            let author = try #require(try Author.first(in: context))
            #expect(author.books.isEmpty)
            try manager.writeAndWait { other in
                _ = other.book("theirs", by: try Author.first(in: other))
            }
            let note = try context.insert(entity: "Note")
            author.delete()
            let refusal = #expect(throws: SaveError.self) { try context.save() }
            #expect(refusal?.code == .conflict && note.objectID.isTemporary && note.isInserted)
            #expect(try manager.newPrivateContext().performAndWait { try $0.count(Self.notes) } == 0)
            // The failed save stored nothing, so the next save stores exactly one note.
            try context.refresh(author, mergeChanges: false)
            context.rollback()
            _ = try context.insert(entity: "Note")
            try context.save()
        }
        #expect(try manager.newPrivateContext().performAndWait { try $0.count(Self.notes) } == 1)
        #expect(try manager.newPrivateContext().performAndWait { try Book.count(in: $0) } == 1)
    }
}
