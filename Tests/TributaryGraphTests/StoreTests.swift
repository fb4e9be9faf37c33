import Foundation
import Testing
import TributaryGraph
import TributarySQLite
import TributaryTestSupport

/// Stores are created, reopened, and refused with a reason.
@MainActor @Suite struct StoreTests {
    private let folder = try? TemporaryFolder()

    private func path(_ name: String = "x.sqlite") throws -> String { try #require(folder).path(name) }

    @Test("A reopened store has its ID and rows, and a read-only one cannot be written")
    func aStoreIsFoundAgain() throws {
        let library = try Library()
        let location = StoreLocation.sqlite(try path())
        let id: UUID
        do {
            let store = try SQLiteStore(library.model, at: location)
            id = store.id
            try store.write { try $0.execute("INSERT INTO \"Series\" (title) VALUES (\("x"))") }
            #expect(try store.read { try $0.rows(of: "SELECT title FROM \"Series\"") } == [["x"]])
        }
        let again = try SQLiteStore(library.model, at: location)
        #expect(again.id == id)
        #expect(try again.read { try $0.value(of: "PRAGMA journal_mode") } == "wal")
        #expect(try again.read { try $0.rows(of: "PRAGMA integrity_check") } == [["ok"]])
        #expect(throws: SQLiteError.self) { try again.read { try $0.execute("DELETE FROM \"Series\"") } }
        let reader = try SQLiteStore(library.model, at: location, options: StoreOptions { $0.isReadOnly = true })
        #expect { try reader.write { _ in } } throws: { ($0 as? StoreError)?.code == .readOnly }
    }

    @Test("A memory store is shared by its connections, but not by other stores")
    func memoryIsSharedByReadersAndGoesWithTheStore() throws {
        let library = try Library()
        let (one, other) = (try SQLiteStore(library.model, at: .memory), try SQLiteStore(library.model, at: .memory))
        try one.write { try $0.execute("INSERT INTO \"Series\" (title) VALUES (1)") }
        #expect(try one.read { try $0.value(of: "SELECT COUNT(*) FROM \"Series\"") } == 1)
        #expect(try other.read { try $0.value(of: "SELECT COUNT(*) FROM \"Series\"") } == 0)
        #expect(throws: SQLiteError.self) { try one.read { try $0.execute("DELETE FROM \"Series\"") } }
        #expect(one.id != other.id)
    }

    @Test("A store of another model is refused with the names of differing entities")
    func anotherModelIsRefusedByName() throws {
        let location = StoreLocation.sqlite(try path())
        _ = try SQLiteStore(try Library().model, at: location)
        var changed = try Library().model.declaration
        changed.entities[4].attributes.append(AttributeDescription("note", .string))
        changed.entities.append(EntityDescription("Extra"))
        let before = try Data(contentsOf: URL(filePath: try path()))
        let options = StoreOptions { $0.migration.isAutomatic = false }
        let error = #expect(throws: StoreError.self) {
            try SQLiteStore(try Model(changed), at: location, options: options)
        }
        #expect(error?.code == .incompatibleModel)
        #expect(error?.reason == "it was made for another model: it differs in Series, it lacks Extra")
        #expect(try Data(contentsOf: URL(filePath: try path())) == before)
    }

    @Test("Foreign, damaged and missing files are refused and not changed")
    func otherFilesAreRefusedAndNotChanged() throws {
        let model = try Library().model
        let foreign = try path("foreign.sqlite")
        do { try Connection(.file(foreign)).execute("CREATE TABLE book (a)") }
        let text = try #require(folder).write("no database".utf8, to: "text.sqlite")
        let ours = try path("ours.sqlite")
        let size = try SQLiteStore(model, at: .sqlite(ours)).read { try $0.value(of: "PRAGMA page_size") }
        #expect(size == .integer(8192))
        var bytes = try Data(contentsOf: URL(filePath: ours))
        for index in 200..<8000 { bytes[index] ^= 0x5A }
        let damaged = try #require(folder).write(bytes, to: "damaged.sqlite")
        for (path, code) in [(foreign, StoreError.Code.foreign), (text, .damaged), (damaged, .damaged)] {
            let before = try Data(contentsOf: URL(filePath: path))
            let error = #expect(throws: StoreError.self) { try SQLiteStore(model, at: .sqlite(path)) }
            #expect(error?.code == code && error?.store == path, "\(String(describing: error))")
            #expect(try Data(contentsOf: URL(filePath: path)) == before)
        }
        for (path, words) in [
            (try #require(folder).url.path, "it is a folder"), (try path("none/ours.sqlite"), "there is no folder"),
        ] {
            let error = #expect(throws: StoreError.self) { try SQLiteStore(model, at: .sqlite(path)) }
            #expect(error?.store == path && error?.reason.contains(words) ?? false, "\(String(describing: error))")
        }
        let options = StoreOptions { $0.isReadOnly = true }
        #expect(throws: (any Error).self) { try SQLiteStore(model, at: .sqlite(path("none.sqlite")), options: options) }
        #expect(!FileManager.default.fileExists(atPath: try path("none.sqlite")))
    }

    @Test("A second writer is refused with the process ID of the first")
    func aSecondWriterIsRefusedByName() throws {
        let library = try Library()
        let location = StoreLocation.sqlite(try path())
        let one = try SQLiteStore(library.model, at: location)
        let other = try SQLiteStore(library.model, at: location)
        let error = #expect(throws: SQLiteError.self) { try other.write { _ in } }
        #expect(error?.code == .busy && error?.message.contains("\(ProcessInfo.processInfo.processIdentifier)") == true)
        #expect(try other.read { try $0.value(of: "SELECT COUNT(*) FROM \"Book\"") } == 0)
        withExtendedLifetime(one) {}
    }
}
