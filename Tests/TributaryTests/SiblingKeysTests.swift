import Testing
import TributaryGraph
import TributaryJSON
import TributarySQLite
import TributaryTestSupport

import Tributary

/// Sibling entities that share a table and a key column, each with keys of its own.
@Suite struct SiblingKeysTests {
    enum Way: CaseIterable, Sendable { case rows, objects }

    private let folder: TemporaryFolder
    private let manager: ContextManager

    init() throws {
        folder = try TemporaryFolder()
        var item = EntityDescription("Item")
        item.isAbstract = true
        item.attributes = [AttributeDescription("code", .string)]
        let children = ["Song", "Film"].map { name in
            var id = AttributeDescription("id", .integer64)
            id.isOptional = false
            var child = EntityDescription(name)
            child.parent = "Item"
            child.attributes = [id, AttributeDescription("title", .string)]
            child.uniquenessConstraints = [["id"]]
            return child
        }
        manager = try ContextManager(
            model: Model(ModelDescription([item] + children)), store: .sqlite(folder.path("items.sqlite")))
    }

    private func route(_ entity: String, at path: RecordPath, by way: Way) -> ImportRoute {
        switch way {
        case .rows: .rows(entity, at: path)
        case .objects:
            .objects(entity, at: path) { record, object in object["title"] = .string(record["title"]) }
        }
    }

    /// Records with a title each.
    private func text(_ ids: some Sequence<Int>, _ title: String) -> String {
        "[" + ids.map { "{\"id\":\($0),\"title\":\"\(title) \($0)\"}" }.joined(separator: ",") + "]"
    }

    /// Imports a text by these routes and returns the counts.
    private func take(
        _ text: String, _ routes: [ImportRoute], _ batchSize: Int, _ mode: ImportMode = .upsert
    ) throws -> [Int] {
        var options = ImportOptions.batches(of: batchSize, onError: .skip)
        options.mode = mode
        return try manager.load(.text(text), routes, options).tally
    }

    private func rows() throws -> [[SQLValue]] {
        try manager.stores.stores[0].read { connection in
            try connection.rows(of: "SELECT \"_entity\", \"id\", \"title\" FROM \"Item\" ORDER BY \"_entity\", \"id\"")
        }
    }

    /// The expected rows when films and songs 1 to 3 have these titles.
    private func expected(_ film: String, _ song: String) -> [[SQLValue]] {
        [("Film", film), ("Song", song)].flatMap { entity, title in
            (1...3).map { [.text(entity), .integer(Int64($0)), .text("\(title) \($0)")] }
        }
    }

    private func faults() throws -> [String] { try FeedStore.faults(manager.stores.stores[0]) }

    @Test(
        "An import updates objects of its own entity, not siblings with equal keys",
        arguments: Way.allCases, [1, 100])
    func eachHasItsKeysToItself(_ way: Way, _ batchSize: Int) throws {
        func take(_ entity: String, _ title: String) throws -> [Int] {
            try self.take(text(1...3, title), [route(entity, at: "[]", by: way)], batchSize)
        }
        #expect(try take("Song", "song") == [3, 3, 0, 0, 0, 0, 0])
        #expect(try take("Film", "film") == [3, 3, 0, 0, 0, 0, 0])
        #expect(try rows() == expected("film", "song"))
        #expect(try take("Song", "changed song") == [3, 0, 3, 0, 0, 0, 0])
        #expect(try rows() == expected("film", "changed song"))
        #expect(try take("Film", "changed film") == [3, 0, 3, 0, 0, 0, 0])
        #expect(try rows() == expected("changed film", "changed song"))
        #expect(try take("Song", "changed song") == [3, 0, 0, 3, 0, 0, 0])
        #expect(try rows() == expected("changed film", "changed song"))
        #expect(try faults() == [])
    }

    @Test(
        "Repeated keys of one sibling are recognized beside equal keys of another", arguments: Way.allCases, [1, 100])
    func keysThatRepeatAreFound(_ way: Way, _ batchSize: Int) throws {
        let (songs, films) = (route("Song", at: "[]", by: way), route("Film", at: "[]", by: way))
        #expect(try take(text(1...3, "song"), [songs], batchSize) == [3, 3, 0, 0, 0, 0, 0])
        #expect(try take(text([2, 1, 2, 3, 1], "film"), [films], batchSize) == [5, 3, 0, 2, 0, 0, 0])
        #expect(try rows() == expected("film", "song"))
        #expect(try faults() == [])
    }

    @Test("One feed fills two sibling entities with equal keys", arguments: Way.allCases, [1, 100])
    func bothComeFromOneFeed(_ way: Way, _ batchSize: Int) throws {
        let routes = [route("Song", at: ".songs[]", by: way), route("Film", at: ".films[]", by: way)]
        func take(_ film: String, _ song: String) throws -> [Int] {
            let feed = "{\"songs\":\(text(1...3, song)),\"films\":\(text(1...3, film))}"
            return try self.take(feed, routes, batchSize)
        }
        #expect(try take("film", "song") == [6, 6, 0, 0, 0, 0, 0])
        #expect(try rows() == expected("film", "song"))
        #expect(try take("other film", "song") == [6, 0, 3, 3, 0, 0, 0])
        #expect(try rows() == expected("other film", "song"))
        #expect(try faults() == [])
    }

    @Test("No import mode takes a sibling's key for one of its own", arguments: Way.allCases, [1, 100])
    func noModeMeetsASibling(_ way: Way, _ batchSize: Int) throws {
        let (songs, films) = (route("Song", at: "[]", by: way), route("Film", at: "[]", by: way))
        func take(_ title: String, _ mode: ImportMode) throws -> [Int] {
            try self.take(text(1...3, title), [films], batchSize, mode)
        }
        #expect(try self.take(text(1...3, "song"), [songs], batchSize) == [3, 3, 0, 0, 0, 0, 0])
        #expect(try take("film", .update) == [3, 0, 0, 0, 0, 3, 0])
        #expect(try take("film", .insert) == [3, 3, 0, 0, 0, 0, 0])
        #expect(try take("more", .insert) == [3, 0, 0, 0, 3, 0, 0])
        #expect(try take("more", .ignore) == [3, 0, 0, 0, 0, 3, 0])
        #expect(try rows() == expected("film", "song"))
        #expect(try take("new film", .replace) == [3, 0, 3, 0, 0, 0, 0])
        #expect(try rows() == expected("new film", "song"))
        #expect(try faults() == [])
    }
}
