import Testing
import TributaryGraph
import TributaryJSON
import TributarySQLite
import TributaryTestSupport

import Tributary

/// Sibling entities that inherit their key attribute, each with a uniqueness constraint of its own.
@Suite struct InheritedKeyTests {
    enum Way: CaseIterable, Sendable { case rows, objects }

    private let folder: TemporaryFolder
    private let manager: ContextManager

    /// A model in which T and U inherit from P, and V inherits from T.
    init() throws {
        folder = try TemporaryFolder()
        var root = EntityDescription("P")
        root.isAbstract = true
        root.attributes = [AttributeDescription("id", .integer64)]
        root.attributes += ["k", "s"].map { AttributeDescription($0, .string) }
        var children = ["T", "U"].map { name in
            var child = EntityDescription(name)
            child.parent = "P"
            child.uniquenessConstraints = [["id"]]
            return child
        }
        var grandchild = EntityDescription("V")
        grandchild.parent = "T"
        children.append(grandchild)
        manager = try ContextManager(
            model: Model(ModelDescription([root] + children)), store: .sqlite(folder.path("p.sqlite")))
    }

    private func route(_ entity: String, at path: RecordPath, by way: Way, _ key: ImportKey?) -> ImportRoute {
        switch way {
        case .rows: .rows(entity, at: path, key: key)
        case .objects:
            .objects(entity, at: path, key: key) { record, object in
                if key == "k" { object["id"] = .integer(record["id"]) }
                object["s"] = .string(record["s"])
            }
        }
    }

    /// Imports a text by these routes and returns the counts.
    private func take(_ text: String, _ routes: [ImportRoute], batchSize: Int = 100) throws -> [Int] {
        try manager.load(.text(text), routes, .batches(of: batchSize, onError: .skip)).tally
    }

    private func rows() throws -> [String] {
        try manager.stores.stores[0].read { connection in
            let rows = try connection.rows(
                of: "SELECT \"_entity\", \"id\", \"s\" FROM \"P\" ORDER BY \"_entity\", \"id\"")
            return rows.map { row in
                guard case .text(let entity) = row[0], case .integer(let id) = row[1], case .text(let s) = row[2] else {
                    return "\(row)"
                }
                return "\(entity) \(id) \(s)"
            }
        }
    }

    private func faults() throws -> [String] { try FeedStore.faults(manager.stores.stores[0]) }

    @Test("Siblings with an inherited key attribute have separate keys", arguments: Way.allCases, [1, 100])
    func eachHasTheKeysToItself(_ way: Way, _ batchSize: Int) throws {
        for (entity, key) in [("T", nil), ("U", nil), ("T", "id"), ("U", "id")] as [(String, ImportKey?)] {
            let text = #"[{"id":1,"s":"1"},{"id":2,"s":"2"},{"id":1,"s":"\#(entity)"}]"#
            let counts = try take(text, [route(entity, at: "[]", by: way, key)], batchSize: batchSize)
            #expect(counts == (key == nil ? [3, 2, 1, 0, 0, 0, 0] : [3, 0, 2, 1, 0, 0, 0]), "\(entity)")
        }
        #expect(try rows() == ["T 1 T", "T 2 2", "U 1 U", "U 2 2"])
        #expect(try faults() == [])
    }

    @Test("A key finds the object of its own entity, not that of a sibling", arguments: Way.allCases, [1, 100])
    func theKeyFindsTheRightOne(_ way: Way, _ batchSize: Int) throws {
        func take(_ entity: String, _ text: String, _ key: ImportKey) throws -> [Int] {
            try self.take(text, [route(entity, at: "[]", by: way, key)], batchSize: batchSize)
        }
        #expect(try take("T", #"[{"k":"t","id":1,"s":"T"}]"#, "k") == [1, 1, 0, 0, 0, 0, 0])
        #expect(try take("U", #"[{"k":"u","id":1,"s":"U"}]"#, "k") == [1, 1, 0, 0, 0, 0, 0])
        #expect(try rows() == ["T 1 T", "U 1 U"])
        #expect(try take("T", #"[{"id":1,"s":"T2"}]"#, "id") == [1, 0, 1, 0, 0, 0, 0])
        #expect(try rows() == ["T 1 T2", "U 1 U"])
        #expect(try take("U", #"[{"id":1,"s":"U2"},{"id":2,"s":"new"}]"#, "id") == [2, 1, 1, 0, 0, 0, 0])
        #expect(try rows() == ["T 1 T2", "U 1 U2", "U 2 new"])
        #expect(try faults() == [])
    }

    @Test("One feed imports equal keys of sibling entities into separate objects", arguments: Way.allCases, [1, 100])
    func bothComeFromOneFeed(_ way: Way, _ batchSize: Int) throws {
        let routes = [route("T", at: ".t[]", by: way, "id"), route("U", at: ".u[]", by: way, "id")]
        let text = #"{"t":[{"id":1,"s":"T"},{"id":2,"s":"T"}],"u":[{"id":2,"s":"U"},{"id":1,"s":"U"}]}"#
        #expect(try take(text, routes, batchSize: batchSize) == [4, 4, 0, 0, 0, 0, 0])
        #expect(try rows() == ["T 1 T", "T 2 T", "U 1 U", "U 2 U"])
        #expect(try take(text, routes, batchSize: batchSize) == [4, 0, 0, 4, 0, 0, 0])
        #expect(try faults() == [])
    }

    @Test("A subentity shares the keys of the entity that has the constraint", arguments: Way.allCases, [1, 100])
    func thoseBelowShareThem(_ way: Way, _ batchSize: Int) throws {
        func take(_ entity: String, _ text: String) throws -> [Int] {
            try self.take(text, [route(entity, at: "[]", by: way, "id")], batchSize: batchSize)
        }
        #expect(try take("U", #"[{"id":1,"s":"U"}]"#) == [1, 1, 0, 0, 0, 0, 0])
        #expect(try take("V", #"[{"id":1,"s":"V"}]"#) == [1, 1, 0, 0, 0, 0, 0])
        #expect(try take("T", #"[{"id":1,"s":"T"},{"id":2,"s":"T"}]"#) == [2, 1, 1, 0, 0, 0, 0])
        // An object of T is no object of V, so a record of V cannot update it.
        #expect(try take("V", #"[{"id":2,"s":"V"},{"id":1,"s":"T"}]"#) == [2, 0, 0, 1, 0, 0, 1])
        #expect(try rows() == ["T 2 T", "U 1 U", "V 1 T"])
        #expect(try faults() == [])
    }
}
