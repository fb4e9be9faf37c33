import Foundation
import Testing
import TributaryGraph
import TributaryJSON
import TributarySQLite
import TributaryTestSupport

import Tributary

/// Siblings that inherit their key from a parent without a uniqueness constraint, or with one.
@Suite struct UnconstrainedSiblingsTests {
    enum Way: CaseIterable, Sendable { case rows, objects, direct, memory, insertOrUpdate, relation, bareKeys, retry }

    private static func store(constraint: Bool) throws -> MappedStore {
        var item = EntityDescription("Item")
        item.isAbstract = true
        item.attributes = [AttributeDescription("id", .integer64), AttributeDescription("title", .string)]
        if constraint { item.uniquenessConstraints = [["id"]] }
        var entities = [item]
        for (name, parent) in [("Song", "Item"), ("Film", "Item"), ("Series", "Film")] {
            var child = EntityDescription(name)
            child.parent = parent
            entities.append(child)
        }
        var owner = EntityDescription("Owner")
        owner.attributes = [AttributeDescription("no", .integer64)]
        owner.uniquenessConstraints = [["no"]]
        owner.relationships = ["Song", "Film", "Series"].map { LibraryModel.many($0.lowercased(), $0) }
        return try MappedStore(entities + [owner])
    }

    private static func text(_ ids: ClosedRange<Int>, _ title: String) -> String {
        "[" + ids.map { #"{"id":\#($0),"title":"\#(title) \#($0)"}"# }.joined(separator: ",") + "]"
    }

    /// Imports records with these ids, and returns the number of those that were refused.
    private static func take(
        _ store: MappedStore, _ way: Way, _ entity: String, _ ids: ClosedRange<Int>, _ title: String
    ) throws -> Int {
        let text = text(ids, title)
        var options = ImportOptions.batches(of: 2, onError: .quarantine)
        func run(_ text: String, _ route: ImportRoute) throws -> Int {
            let summary = try store.manager.load(.text(text), [route], options)
            #expect(summary.isBalanced)
            return summary.rejected + (summary.related?[entity]?.rejected ?? 0)
        }
        func work(_ body: @Sendable (ManagedObjectContext) throws -> Int) throws -> Int {
            do {
                return try store.manager.newPrivateContext().performAndWait { context throws in
                    let count = try body(context)
                    try context.save()
                    return count
                }
            } catch is JSONError { return ids.count }
        }
        var mapping = Mapping()
        mapping[entity.lowercased()].finder = ["id"]
        switch way {
        case .rows: return try run(text, .rows(entity, key: "id"))
        case .direct:
            options.firstLoad = .direct
            return try run(text, .rows(entity, key: "id"))
        case .objects:
            return try run(
                text, .objects(entity, key: "id") { record, object in object["title"] = .string(record["title"]) })
        case .memory:
            return try work { context in
                var mapping = Mapping()
                mapping.key = ["id"]
                _ = try context.import(RecordList(json: text, at: "[]"), as: entity, mapping: mapping)
                return 0
            }
        case .insertOrUpdate:
            return try work { context in
                try context.insertOrUpdate(RecordList(json: text, at: "[]"), into: entity, key: "id") {
                    record, object in
                    object["title"] = .string(record["title"])
                }.rejected
            }
        case .relation:
            let owner = #"[{"no":1,"\#(entity.lowercased())":\#(text)}]"#
            return try run(owner, .rows("Owner", mapping: mapping))
        case .bareKeys:
            // The objects are there already, so that the keys must find those of the right entity.
            _ = try take(store, .rows, entity, ids, title)
            let keys = ids.map { "\($0)" }.joined(separator: ",")
            return try run(
                #"[{"no":1,"\#(entity.lowercased())":[\#(keys)]}]"#, .rows("Owner", mapping: mapping)) * ids.count
        case .retry:
            let broken = text.replacing("\"title\":\"", with: "\"title\":[\"").replacing("\"}", with: "\"]}")
            let rejected = try run(broken, .rows(entity, key: "id"))
            #expect(rejected == ids.count)
            let path = store.folder.path("bad-\(entity)-\(title).ndjson")
            try store.manager.rejects.write(to: path)
            let lines = try String(contentsOfFile: path, encoding: .utf8)
                .replacing("[\\\"", with: "\\\"").replacing("\\\"]", with: "\\\"")
            try Data(lines.utf8).write(to: URL(filePath: path))
            return try store.manager.retry(.file(FileSource(path))).left
        }
    }

    private static func items(_ store: MappedStore) throws -> [[SQLValue]] {
        try store.rows("SELECT _entity, id, title FROM Item ORDER BY 1, 2")
    }

    private static func rows(_ entity: String, _ ids: ClosedRange<Int>, _ title: String) -> [[SQLValue]] {
        ids.map { [.text(entity), .integer(Int64($0)), .text("\(title) \($0)")] }
    }

    @Test("Each sibling has keys of its own if the parent has no constraint", arguments: Way.allCases)
    func separateKeys(_ way: Way) throws {
        let store = try Self.store(constraint: false)
        #expect(try Self.take(store, way, "Song", 1...4, "s") == 0)
        #expect(try Self.take(store, way, "Film", 3...6, "f") == 0)
        #expect(try Self.items(store) == Self.rows("Film", 3...6, "f") + Self.rows("Song", 1...4, "s"))
        // Again, with other titles: each record finds the object of its entity.
        #expect(try Self.take(store, way, "Film", 2...4, "F") == 0)
        #expect(try Self.take(store, way, "Song", 4...5, "S") == 0)
        let expected =
            Self.rows("Film", 2...4, "F") + Self.rows("Film", 5...6, "f")
            + Self.rows("Song", 1...3, "s") + Self.rows("Song", 4...5, "S")
        #expect(try Self.items(store) == expected)
        #expect(try FeedStore.faults(store.manager.stores.stores[0]) == [])
    }

    @Test("An entity shares its keys with its subentities", arguments: Way.allCases)
    func subentities(_ way: Way) throws {
        let store = try Self.store(constraint: false)
        #expect(try Self.take(store, way, "Series", 1...2, "r") == 0)
        #expect(try Self.take(store, way, "Song", 1...2, "s") == 0)
        #expect(try Self.take(store, way, "Film", 2...3, "f") == 0)
        let expected: [[SQLValue]] = [
            ["Film", 3, "f 3"], ["Series", 1, "r 1"], ["Series", 2, "f 2"], ["Song", 1, "s 1"], ["Song", 2, "s 2"],
        ]
        #expect(try Self.items(store) == expected)
        #expect(try FeedStore.faults(store.manager.stores.stores[0]) == [])
    }

    @Test("A constraint of the parent keeps siblings from having equal keys", arguments: Way.allCases)
    func sharedKeys(_ way: Way) throws {
        let store = try Self.store(constraint: true)
        #expect(try Self.take(store, way, "Song", 1...4, "s") == 0)
        guard way != .bareKeys else { return }
        let refused = try Self.take(store, way, "Film", 3...6, "f")
        #expect(refused == (way == .memory ? 4 : 2))
        let films = refused == 4 ? [] : Self.rows("Film", 5...6, "f")
        #expect(try Self.items(store) == films + Self.rows("Song", 1...4, "s"))
        #expect(try FeedStore.faults(store.manager.stores.stores[0]) == [])
    }
}
