import Testing
import TributaryGraph
import TributaryJSON
import TributarySQLite
import TributaryTestSupport

import Tributary

/// Rounds of DKDBManager: create or update, remove what is deprecated, save.
@Suite("Rounds of CRUD") struct DeprecationRoundsTests {
    enum Work: CaseIterable, Sendable { case oneContext, aContextEach, writeBlocks, launches }

    /// A file of books, pages and images, opened again for each launch.
    private final class Stage {
        private let folder: TemporaryFolder
        private(set) var manager: ContextManager
        private var context: PrivateContext

        init() throws {
            folder = try TemporaryFolder()
            manager = try Stage.open(folder)
            context = manager.newPrivateContext()
        }

        private static func open(_ folder: TemporaryFolder) throws -> ContextManager {
            try ContextManager(
                model: Model(
                    CRUDBook.self, CRUDPage.self, CRUDImage.self, CRUDTag.self, CRUDSetting.self, CRUDVisit.self),
                store: .sqlite(folder.path("books.sqlite")))
        }

        func reopen() throws {
            for store in manager.stores.stores { store.close() }
            manager = try Stage.open(folder)
            context = manager.newPrivateContext()
        }

        /// Runs `body` and saves.
        func work(_ work: Work, _ body: @Sendable (ManagedObjectContext) throws -> Void) throws {
            if work == .launches { try reopen() }
            if work == .writeBlocks { return try manager.writeAndWait { try body($0) } }
            if work == .aContextEach { context = manager.newPrivateContext() }
            try context.performAndWait { context throws in
                try body(context)
                try context.save()
            }
        }

        func content() throws -> String {
            try manager.newPrivateContext().performAndWait { context throws in
                let names = try CRUDBook.all(in: context, sort: [SortKey("name")]).map(\.name).joined()
                return "\(names) \(try CRUDPage.count(in: context)) \(try CRUDImage.count(in: context))"
            }
        }
    }

    private static func books(_ names: String) -> String {
        let books = names.map {
            #"{"name": "\#($0)", "pages": [{"code": "\#($0)", "text": "t", "pictures": [{"url": "\#($0)"}]}]}"#
        }
        return "[\(books.joined(separator: ","))]"
    }

    @Test("Each round removes what it did not see, whatever earlier rounds have seen", arguments: Work.allCases)
    func rounds(_ work: Work) throws {
        let stage = try Stage()
        for (names, count) in [("abc", 0), ("ab", 1), ("bd", 1), ("bd", 0), ("d", 1), ("abc", 1)] {
            try stage.work(work) { context throws in
                try context.crud(CRUDBook.self, json: Self.books(names))
                #expect(try context.removeDeprecated() == count)
                // The marks of the round count until it is saved, so that nothing more is removed.
                #expect(try context.removeDeprecated(of: CRUDBook.self) == 0 && context.removeDeprecated() == 0)
            }
            #expect(try stage.content() == "\(names) \(names.count) \(names.count)")
        }
    }

    @Test("A round in another context does not keep what was only seen before it", arguments: Work.allCases)
    func afterALoadWithoutRemoval(_ work: Work) throws {
        let stage = try Stage()
        try stage.work(work) { try $0.crud(CRUDBook.self, json: Self.books("abcd")) }
        guard work != .oneContext else {
            // A context that saves in batches is one round.
            try stage.work(work) { context throws in
                try context.crud(CRUDBook.self, json: Self.books("ef"))
                #expect(try context.removeDeprecated() == 0)
            }
            return #expect(try stage.content() == "abcdef 6 6")
        }
        try stage.work(work) { context throws in
            try context.crud(CRUDBook.self, json: Self.books("cd"))
            #expect(try context.removeDeprecated() == 2)
        }
        #expect(try stage.content() == "cd 2 2")
        // Those marks are used up with the round.
        try stage.work(work) { context throws in
            #expect(try CRUDBook.all(in: context).map(context.isSeen) == [false, false])
            #expect(try context.removeDeprecated() == 0)
        }
    }

    @Test("Marks that were saved count in a context without marks; those of an earlier launch only until new ones")
    func savedMarks() throws {
        let stage = try Stage()
        try stage.work(.launches) { try $0.crud(CRUDBook.self, json: Self.books("abcd")) }
        try stage.work(.launches) { context throws in
            #expect(try CRUDBook.all(in: context).map(context.isSeen) == [true, true, true, true])
        }
        try stage.work(.launches) { try $0.crud(CRUDBook.self, json: Self.books("a")) }
        try stage.work(.aContextEach) { try $0.crud(CRUDBook.self, json: Self.books("b")) }
        try stage.work(.aContextEach) { context throws in #expect(try context.removeDeprecated() == 2) }
        #expect(try stage.content() == "ab 2 2")
    }

    @Test("What is removed in a child context uses up the marks of its parent")
    func childContexts() throws {
        let stage = try Stage()
        try stage.work(.aContextEach) { try $0.crud(CRUDBook.self, json: Self.books("abc")) }
        let parent = stage.manager.newPrivateContext()
        try parent.performAndWait { context throws in _ = try context.crud(CRUDBook.self, json: Self.books("a")) }
        try parent.child().performAndWait { context throws in
            try context.crud(CRUDBook.self, json: Self.books("b"))
            #expect(try context.removeDeprecated() == 1)
            try context.save()
        }
        try parent.performAndWait { context throws in
            #expect(try context.removeDeprecated(of: CRUDBook.self) == 0)
            try context.save()
            #expect(try CRUDBook.all(in: context).map(context.isSeen) == [false, false])
        }
        #expect(try stage.content() == "ab 2 2")
    }

    @Test("A rollback reverts the removal and that the marks are used up")
    func rollback() throws {
        let stage = try Stage()
        try stage.work(.aContextEach) { try $0.crud(CRUDBook.self, json: Self.books("abc")) }
        let context = stage.manager.newPrivateContext()
        try context.performAndWait { context throws in
            try context.crud(CRUDBook.self, json: Self.books("a"))
            try context.save()
            #expect(try context.removeDeprecated() == 2)
            context.rollback()
            #expect(try CRUDBook.all(in: context).map(context.isSeen) == [true, false, false])
            #expect(try context.removeDeprecated() == 2)
            try context.save()
        }
        #expect(try stage.content() == "a 1 1")
    }
}
