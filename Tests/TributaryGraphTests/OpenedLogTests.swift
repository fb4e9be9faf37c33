import Foundation
import Testing
import TributaryGraph
import TributarySQLite
import TributaryTestSupport

/// A store opens with or without a write-ahead log as its options say, however it was created.
@MainActor @Suite("Opening a store with or without a write-ahead log") struct OpenedLogTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private var path: String { folder.path("x.sqlite") }

    private func options(usesLog: Bool) -> StoreOptions {
        StoreOptions { $0.usesWriteAheadLog = usesLog }
    }

    private func make(usesLog: Bool) throws {
        let library = try Library(.sqlite(path), options: options(usesLog: usesLog))
        _ = library.book("a", by: library.author(1, "first"))
        try library.context.save()
        library.manager.close()
    }

    /// Opens a store, checks its objects, adds a book, and returns the journal mode.
    private func use(_ path: String, usesLog: Bool) throws -> SQLValue? {
        let library = try Library(.sqlite(path), options: options(usesLog: usesLog))
        let author = try #require(try Author.first(in: library.context))
        #expect(author.id == 1 && author.name == "first" && author.books.map(\.isbn) == ["a"])
        _ = library.book("b", by: author)
        try library.context.save()
        let store = library.manager.stores.stores[0]
        #expect(try store.read { try $0.value(of: "SELECT COUNT(*) FROM \"Book\"") } == 2)
        #expect(try store.read { try $0.rows(of: "PRAGMA integrity_check") } == [["ok"]])
        let mode = try store.write { try $0.value(of: "PRAGMA journal_mode") }
        library.manager.close()
        return mode
    }

    /// The journal mode of a file, as a separate connection sees it.
    private func mode(_ path: String) throws -> SQLValue? {
        try Connection(.file(path)).value(of: "PRAGMA journal_mode")
    }

    @Test("A store created without a log can be opened with one")
    func aStoreThatWasMadeWithoutALog() throws {
        try make(usesLog: false)
        #expect(try mode(path) == "delete")
        #expect(try use(path, usesLog: true) == "wal")
        #expect(try mode(path) == "wal")
    }

    @Test("A copy made by VACUUM INTO can be opened with a log")
    func aCopyThatSQLiteMade() throws {
        try make(usesLog: true)
        let copy = folder.path("copy.sqlite")
        try Connection(.file(path)).execute("VACUUM INTO \(copy)")
        #expect(try mode(path) == "wal" && mode(copy) == "delete")
        #expect(try use(copy, usesLog: true) == "wal")
    }

    @Test("A reader does not block the writer of a store that was created without a log")
    func whoReadsIsNotInTheWayOfTheWriter() throws {
        try make(usesLog: false)
        let store = try SQLiteStore(try Library().model, at: .sqlite(path))
        try store.read { connection in
            try connection.snapshot {
                #expect(try connection.value(of: "SELECT COUNT(*) FROM \"Book\"") == 1)
                try store.write { try $0.execute("DELETE FROM \"Book\"") }
                #expect(try connection.value(of: "SELECT COUNT(*) FROM \"Book\"") == 1)
            }
        }
        #expect(try store.read { try $0.value(of: "SELECT COUNT(*) FROM \"Book\"") } == 0)
    }

    @Test("A store created with a log can be opened without one, and with one again")
    func aStoreThatWasMadeWithALogIsOpenedWithout() throws {
        try make(usesLog: true)
        #expect(try mode(path) == "wal")
        _ = try use(path, usesLog: false)
        // By default, a store is opened with a log.
        let library = try Library(.sqlite(path))
        #expect(try Book.count(in: library.context) == 2)
        library.manager.close()
    }

    @Test("A store opened read-only without a log leaves its file unchanged")
    func whoOnlyReadsChangesNothing() throws {
        try make(usesLog: false)
        let before = try folder.read("x.sqlite")
        let library = try Library(.sqlite(path), options: StoreOptions { $0.isReadOnly = true })
        #expect(try Book.all(in: library.context).map { $0.author?.name } == ["first"])
        library.manager.close()
        #expect(try folder.read("x.sqlite") == before)
    }
}
