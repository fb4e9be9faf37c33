import Testing
import TributaryGraph
import TributaryJSON
import TributarySQLite

import Tributary

/// Marks of objects that were seen, and the removal of all others, as DKDBManager has it.
@Suite("Deprecated objects") struct DeprecatedObjectsTests {
    private let stage: CRUDStage

    init() throws { stage = try CRUDStage() }

    private static func books(_ names: String...) -> String {
        let books = names.map { name in
            #"{"name": "\#(name)", "pages": [{"code": "\#(name)", "text": "t", "pictures": [{"url": "\#(name)"}]}]}"#
        }
        return "[\(books.joined(separator: ","))]"
    }

    /// The names of all books, and the numbers of pages and images.
    private func content(_ context: ManagedObjectContext) throws -> String {
        let names = try CRUDBook.all(in: context, sort: [SortKey("name")]).map(\.name).joined()
        return "\(names) \(try CRUDPage.count(in: context)) \(try CRUDImage.count(in: context))"
    }

    /// Saves books without marks.
    private func prepare(_ names: String...) throws {
        try stage.work { context throws in
            for name in names { try context.crud(CRUDBook.self, json: Self.books(name)) }
            try context.save()
            context.forgetMarks()
            try context.save()
        }
    }

    @Test("What a call did not see is removed before the save")
    func removalBeforeTheSave() throws {
        try prepare("a", "b", "c")
        try stage.work { context throws in
            try context.crud(CRUDBook.self, json: Self.books("b", "d"))
            // The objects of b and d are marked, saved or not.
            #expect(try context.removeDeprecated() == 2 && content(context) == "bd 2 2")
            #expect(try context.removeDeprecated() == 0)
            try context.save()
            #expect(try context.removeDeprecated() == 0 && content(context) == "bd 2 2")
        }
    }

    @Test("What a call did not see is removed after the save, also in another context")
    func removalAfterTheSave() throws {
        try prepare("a", "b")
        try stage.work { context throws in
            try context.crud(CRUDBook.self, json: Self.books("c"))
            try context.save()
            // An object has another ID since the save, and is marked nevertheless.
            #expect(try CRUDBook.all(in: context).map(context.isSeen) == [false, false, true])
        }
        try stage.work { context throws in
            #expect(try context.removeDeprecated(of: CRUDBook.self) == 2 && content(context) == "c 1 1")
        }
    }

    @Test("An entity without marks is left alone, unless it is named")
    func entitiesWithoutMarks() throws {
        try prepare("a", "b")
        try stage.work { context throws in
            #expect(try context.removeDeprecated() == 0 && content(context) == "ab 2 2")
            #expect(try context.removeDeprecated(from: CRUDBook.all(in: context)) == 0)
            try context.crud(CRUDTag.self, json: #"{"name": "t"}"#)
            #expect(try context.removeDeprecated() == 0 && content(context) == "ab 2 2")
            // The only marked object is deleted again.
            try context.crud(CRUDBook.self, json: Self.books("c")).first?.delete(reason: "x")
            #expect(try context.removeDeprecated() == 0 && content(context) == "ab 2 2")
            #expect(try context.removeDeprecated(of: CRUDImage.self) == 2 && content(context) == "ab 2 0")
            #expect(try context.removeDeprecated(of: CRUDBook.self) == 2 && content(context) == " 0 0")
        }
    }

    @Test("Objects are marked by hand, with their children, and by identifiers")
    func marksByHand() throws {
        try prepare("a", "b", "c")
        try stage.work { context throws in
            let books = try CRUDBook.all(in: context)
            try context.markAsSeen(books[0])
            try context.markAsSeen(identifier: books[2].objectID, of: CRUDBook.self)
            #expect(try books.map(context.isSeen) == [true, false, true])
            #expect(try CRUDImage.all(in: context).map(context.isSeen) == [true, false, false])
            #expect(try context.removeDeprecated(of: CRUDBook.self) == 1 && content(context) == "ac 2 2")
            for name in ["x", "y"] { context.insert(CRUDTag.self).name = name }
            try context.markAsSeen(identifier: "x", of: CRUDTag.self)
            #expect(try context.removeDeprecated() == 2)
            #expect(try content(context) == "ac 1 1" && CRUDTag.all(in: context).map(\.name) == ["x"])
        }
    }

    @Test("Marks are forgotten, all or those of a class, here and in the store")
    func forgetting() throws {
        try stage.work { context throws in
            try context.crud(CRUDBook.self, json: Self.books("a"))
            try context.crud(CRUDTag.self, json: #"{"name": "t"}"#)
            try context.save()
            let (book, tag) = (try CRUDBook.all(in: context)[0], try CRUDTag.all(in: context)[0])
            func seen(_ context: ManagedObjectContext) throws -> [Bool] {
                try [context.isSeen(book.object(in: context)), context.isSeen(tag.object(in: context))]
            }
            #expect(try seen(context) == [true, true])
            context.forgetMarks(of: CRUDBook.self)
            #expect(try seen(context) == [false, true])
            context.rollback()
            #expect(try seen(context) == [true, true])
            context.forgetMarks(of: CRUDBook.self)
            try context.save()
            #expect(try context.isSeen(CRUDPage.all(in: context)[0]))
            context.forgetMarks()
            try context.save()
            #expect(try seen(context) == [false, false])
            #expect(try context.isSeen(CRUDPage.all(in: context)[0]) == false)
        }
    }

    @Test("The deprecated ones of an array are removed, and others kept")
    func removalFromAnArray() throws {
        try prepare("a", "b", "c")
        try stage.work { context throws in
            let books = try CRUDBook.all(in: context)
            try context.markAsSeen(books[0])
            #expect(try context.removeDeprecated(from: Array(books[0...1])) == 1)
            #expect(try content(context) == "ac 2 2")
            // A deleted object is not deleted again.
            #expect(try context.removeDeprecated(from: books) == 1 && content(context) == "a 1 1")
        }
    }

    @Test("Children of kept objects count as seen, those of updated ones if their member is missing")
    func keptChildren() throws {
        try prepare("a", "b", "c")
        try stage.work { context throws in
            let update = #"[{"name": "a"}, {"name": "b", "stamp": 2}, {"name": "c", "stamp": 2, "pages": []}]"#
            try context.crud(CRUDBook.self, json: update)
            // The page of c is deprecated, and its image with it.
            #expect(try context.removeDeprecated() == 1 && content(context) == "abc 2 2")
        }
    }

    @Test("A child context gives its marks to its parent with its save")
    func childContexts() throws {
        try prepare("a", "b")
        let parent = stage.manager.newPrivateContext()
        let child = parent.child()
        try child.performAndWait { context throws in
            try context.crud(CRUDBook.self, json: Self.books("b", "c"))
            try context.save()
            #expect(try CRUDBook.all(in: context).map(context.isSeen) == [false, true, true])
        }
        try parent.performAndWait { context throws in
            #expect(try CRUDBook.all(in: context).map(context.isSeen) == [false, true, true])
            try context.save()
            #expect(try CRUDBook.all(in: context).map(context.isSeen) == [false, true, true])
        }
        try child.performAndWait { context throws in
            #expect(try CRUDBook.all(in: context).map(context.isSeen) == [false, true, true])
            #expect(try context.removeDeprecated() == 1)
            try context.saveToStore()
        }
        try stage.work { context throws in #expect(try content(context) == "bc 2 2") }
    }

    @Test("Marks alone are saved beside the rows, in one block for 32,768 keys")
    func marksAreBesideTheRows() throws {
        try prepare("a", "b")
        try stage.work { context throws in
            try context.markAsSeen(CRUDBook.all(in: context))
            #expect(!context.hasChanges)
            let statements = try stage.recorded { try context.save() }
            #expect(statements.contains { $0.contains("\"_mark\"") } && !statements.contains { $0.contains("UPDATE") })
            #expect(statements.count { $0.hasPrefix("INSERT OR REPLACE INTO \"_mark\"") } == 3)
            #expect(try stage.recorded { try context.save() }.isEmpty)
        }
        try stage.work { context throws in #expect(try CRUDImage.all(in: context).map(context.isSeen) == [true, true]) }
    }

    @Test("A save that fails keeps the marks for the next save")
    func failedSaves() throws {
        try stage.work { context throws in
            try context.crud(CRUDBook.self, json: Self.books("a"))
            let other = context.insert(CRUDBook.self)
            other.name = "a"
            #expect(throws: SaveError.self) { try context.save() }
            other.name = "b"
            try context.save()
        }
        try stage.work { context throws in #expect(try CRUDBook.all(in: context).map(context.isSeen) == [true, false]) }
    }
}
