import Foundation
import Testing
import TributaryGraph
import TributarySQLite
import TributaryTestSupport

/// A store is opened with a log or without one as the options say, however it was made.
@MainActor @Suite struct OpenedLogTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private var path: String { folder.path("x.sqlite") }

    private func options(usesLog: Bool) -> StoreOptions {
        var options = StoreOptions()
        options.usesWriteAheadLog = usesLog
        return options
    }

    /// Makes a store with an author and a book.
    private func make(usesLog: Bool) throws {
        let library = try Library(.sqlite(path), options: options(usesLog: usesLog))
        _ = library.book("a", by: library.author(1, "first"))
        try library.context.save()
        library.manager.close()
    }

    /// Opens a store, checks that all is there, and adds a book; gives how the store keeps its changes.
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

    /// How a file keeps its changes, as anybody sees it.
    private func mode(_ path: String) throws -> SQLValue? {
        try Connection(.file(path)).value(of: "PRAGMA journal_mode")
    }

    @Test func aStoreThatWasMadeWithoutALog() throws {
        try make(usesLog: false)
        #expect(try mode(path) == "delete")
        #expect(try use(path, usesLog: true) == "wal")
        #expect(try mode(path) == "wal")
    }

    @Test func aCopyThatSQLiteMade() throws {
        try make(usesLog: true)
        let copy = folder.path("copy.sqlite")
        try Connection(.file(path)).execute("VACUUM INTO \(copy)")
        #expect(try mode(path) == "wal" && mode(copy) == "delete")
        #expect(try use(copy, usesLog: true) == "wal")
    }

    @Test func whoReadsIsNotInTheWayOfTheWriter() throws {
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

    @Test func aStoreThatWasMadeWithALogIsOpenedWithout() throws {
        try make(usesLog: true)
        #expect(try mode(path) == "wal")
        _ = try use(path, usesLog: false)
        // And with a log again.
        let library = try Library(.sqlite(path))
        #expect(try Book.count(in: library.context) == 2)
        library.manager.close()
    }

    @Test func whoOnlyReadsChangesNothing() throws {
        try make(usesLog: false)
        let before = try folder.read("x.sqlite")
        var reading = StoreOptions()
        reading.isReadOnly = true
        let library = try Library(.sqlite(path), options: reading)
        #expect(try Book.all(in: library.context).map { $0.author?.name } == ["first"])
        library.manager.close()
        #expect(try folder.read("x.sqlite") == before)
    }
}
