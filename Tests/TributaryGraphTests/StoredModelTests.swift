import Foundation
import Testing
import TributaryGraph
import TributarySQLite
import TributaryTestSupport

/// A store contains the model that it was created for.
@Suite struct StoredModelTests {
    private let folder = try? TemporaryFolder()

    private func entity(_ name: String) -> EntityDescription {
        var entity = EntityDescription(name)
        entity.attributes = [AttributeDescription("id", .integer64), AttributeDescription("a \"b\" <c>", .string)]
        entity.attributes[0].userInfo = ["json": "user.id"]
        entity.uniquenessConstraints = [["id"]]
        return entity
    }

    @Test("A store contains its model, and opens with the model read from it")
    func aStoreOpensWithItsOwnModel() throws {
        let path = try #require(folder).path("s.sqlite")
        let model = try Model(ModelDescription([entity("User")]))
        _ = try SQLiteStore(model, at: .sqlite(path))
        let read = try StoreInspection.read(path) { try StoredModel.read(on: $0) }
        let description = try #require(read ?? nil)
        #expect(description == model.declaration && !description.isInferred)
        _ = try SQLiteStore(Model(description), at: .sqlite(path))
    }

    @Test("The model in a store can be replaced by another one")
    func anotherModelTakesItsPlace() throws {
        let path = try #require(folder).path("s.sqlite")
        let store = try SQLiteStore(Model(ModelDescription([entity("User")])), at: .sqlite(path))
        var grown = ModelDescription([entity("User"), entity("Book")])
        grown.isInferred = true
        let model = try Model(grown)
        try store.write { connection in
            try connection.execute("CREATE TABLE \"Book\" (\"_pk\" INTEGER PRIMARY KEY)")
            try StoredModel.replace(with: model, on: connection)
        }
        let read = try StoreInspection.read(path) { try StoredModel.read(on: $0) }
        #expect(read == grown && grown.isInferred)
        _ = try SQLiteStore(model, at: .sqlite(path))
    }

    /// Without a log, a killed writer leaves a journal that must be rolled back before the store can be read.
    @Test("Reading a store rolls back the unfinished transaction of a killed writer")
    func whatAKilledWriterHasBegunIsUndone() throws {
        let path = try #require(folder).path("s.sqlite")
        let copy = try #require(folder).path("copy.sqlite")
        let options = StoreOptions { $0.usesWriteAheadLog = false }
        let model = try Model(ModelDescription([entity("User")]))
        try SQLiteStore(model, at: .sqlite(path), options: options).write { connection in
            // A small cache writes pages to the file before the transaction ends.
            try connection.execute("PRAGMA cache_size = 2")
            try connection.transaction {
                try connection.execute("DELETE FROM \"_metadata\"")
                for number in 0..<100 {
                    let text = String(repeating: "\(number)", count: 9000)
                    try connection.execute("INSERT INTO \"_metadata\" VALUES (\(text), 'half done')")
                }
                for ending in ["", "-journal"] {
                    try FileManager.default.copyItem(atPath: path + ending, toPath: copy + ending)
                }
            }
        }
        let read = try StoreInspection.read(copy) { try StoredModel.read(on: $0) }
        #expect(read == model.declaration)
        #expect(!FileManager.default.fileExists(atPath: copy + "-journal"))
    }

    @Test("Inspecting a file without a store gives nil, and one that is no database throws")
    func whatIsNoStore() throws {
        let folder = try #require(folder)
        #expect(try StoreInspection.read(folder.path("none")) { _ in 1 } == nil)
        #expect(try StoreInspection.read(folder.write([], to: "empty")) { _ in 1 } == nil)
        let text = try folder.write(Data(repeating: 65, count: 5000), to: "text")
        #expect(throws: StoreError.self) { try StoreInspection.read(text) { _ in 1 } }
        let foreign = folder.path("foreign.sqlite")
        try Connection(.file(foreign)).execute("CREATE TABLE t (a)")
        #expect(try StoreInspection.read(foreign) { _ in 1 } == nil)
        // A table of that name is ours only if it has our columns.
        try Connection(.file(foreign)).execute("CREATE TABLE \"_metadata\" (a)")
        #expect(throws: StoreError.self) { try StoreInspection.read(foreign) { _ in 1 } }
    }
}
