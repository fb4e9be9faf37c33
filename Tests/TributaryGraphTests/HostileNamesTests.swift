import Foundation
import Testing
import TributaryGraph
import TributarySQLite
import TributaryTestSupport

/// Names that a model accepts and that work everywhere, and names that it refuses when it is loaded.
@Suite struct HostileNamesTests {
    private static let accepted = [
        "SELECT", "order", "table", "rowid", "oid", "null", "a\"b", "a'b", "`", "[x]", "\"", "'", "'; DROP TABLE x; --",
        "😀",
        " ", "  two  words ", "1st", "9", "$1", "?1", ":a", "#", "%K", "%@", "%", "\\", "\n", "SELF", "self",
        "any", "ALL", "NOT", "IN", "TRUEPREDICATE", "nil", "count", "sum:", "x,y", "x desc", "é", "É", "e\u{301}",
        "\u{202E}x",
        "key", "value", "at", "temp", "main", "sqlitemaster", "a/b", "-", "--", "/*", "*/", "0x1", "x_",
        "(", ")",
        String(repeating: "long", count: 1_250),
    ]

    /// A model with every kind of relationship, in which the property number `exact` has exactly the given name.
    private func model(_ name: String, _ exact: Int) throws -> (model: Model, keys: [String], other: String) {
        let keys = (0..<6).map { $0 == exact ? name : "\(name)\($0)" }
        let other = "\(name)E"
        func relationship(_ key: String, _ to: String, _ inverse: String, isMany: Bool, isOrdered: Bool = false)
            -> RelationshipDescription
        {
            makeRelationship(key, to: to, inverse: inverse, isToMany: isMany, isOrdered: isOrdered)
        }
        var (one, two) = (EntityDescription(name), EntityDescription(other))
        one.attributes = [AttributeDescription(keys[0], .string), AttributeDescription(keys[1], .integer64)]
        one.uniquenessConstraints = [[keys[0]]]
        one.relationships = [
            relationship(keys[2], other, name, isMany: false),
            relationship(keys[3], other, "\(name)3", isMany: true),
            relationship(keys[4], other, "\(name)4", isMany: true, isOrdered: true),
            relationship(keys[5], other, "\(name)5", isMany: true, isOrdered: true),
        ]
        two.attributes = [AttributeDescription("\(name)A", .string)]
        two.relationships = [
            relationship(name, name, keys[2], isMany: true), relationship("\(name)3", name, keys[3], isMany: false),
            relationship("\(name)4", name, keys[4], isMany: false),
            relationship("\(name)5", name, keys[5], isMany: true),
        ]
        var said = ModelDescription([one, two])
        said.configurations = [.init(name, [name, other])]
        return (try Model(said), keys, other)
    }

    /// Uses the names in every kind of request that a store supports.
    private func round(_ name: String, _ exact: Int, in folder: TemporaryFolder) throws {
        let (model, keys, other) = try model(name, exact)
        let file = "\(exact)" + name.replacing("/", with: "_").prefix(60)
        let alias = "\(name) \(UUID())"
        func manager() throws -> ContextManager {
            try ContextManager(
                model: model, stores: [.init(name, at: .sqlite(folder.path(file)))], alias: alias)
        }
        try manager().writeAndWait { context in
            let objects = try (0..<3).map { number in
                let object = try context.insert(entity: name)
                object[keys[0]] = .string("\(number)")
                object[keys[1]] = .integer(Int64(number))
                return object
            }
            let others = try (0..<2).map { number in
                let object = try context.insert(entity: other)
                object["\(name)A"] = .string("o\(number)")
                return object
            }
            objects[0].setObject(others[0], forKey: keys[2])
            objects[1].setObjects(others, forKey: keys[3])
            objects[1].setObjects(others.reversed(), forKey: keys[4])
            objects[2].setObjects(others.reversed(), forKey: keys[5])
        }
        let context = try manager().newPrivateContext()
        try context.performAndWait { context in
            func found(_ filter: Filter?) throws -> [ManagedObject] {
                try context.fetch(FetchRequest<ManagedObject>(entity: name, where: filter, sort: [SortKey(keys[0])]))
            }
            let all = try found(nil)
            #expect(all.map { $0[keys[0]] } == ["0", "1", "2"])
            #expect(all[0].object(forKey: keys[2])?["\(name)A"] == "o0")
            #expect(all[1].objects(forKey: keys[3]).count == 2)
            #expect(all[1].objects(forKey: keys[4]).map { $0["\(name)A"] } == ["o1", "o0"])
            #expect(all[2].objects(forKey: keys[5]).map { $0["\(name)A"] } == ["o1", "o0"])
            #expect(try found(Filter(format: "%K == %@", keys[0], "1")) == [all[1]])
            #expect(try found("\(key: keys[1]) >= \(1)") == [all[1], all[2]])
            #expect(try found("\(key: keys[2] + "." + name + "A") == \("o0")") == [all[0]])
            for key in keys[3...] {
                #expect(try found(Filter(format: "ANY %K == %@", "\(key).\(name)A", "o1")).count == 1)
                #expect(try found(Filter(format: "%K.@count == 2", key)).count == 1)
            }
            var request = ValueRequest(entity: name, where: try Filter(format: "%K > 0", keys[1]))
            request.columns = [.key(keys[0]), .init(name + "s", .keyPath([keys[1]]))]
            request.sort = [SortKey(keys[1], ascending: false)]
            #expect(try context.values(request).map(\.values) == [["2", 2], ["1", 1]])
            #expect(try context.count(FetchRequest<ManagedObject>(entity: name)) == 3)
            all[0][keys[0]] = .string("2")
            all[2][keys[0]] = .string("0")
            try context.save()
            let update = BatchUpdate(
                entity: name, set: [keys[1]: .constant(.integer(9))],
                where: try Filter(format: "%K == %@", keys[0], "0"))
            #expect(try context.execute(update).updated.count == 1)
            #expect(all[2][keys[1]] == 9)
            context.delete(all[0])
            try context.save()
            let rest = BatchDelete(entity: name, where: try Filter(format: "%K == %@", keys[0], "1"))
            #expect(try context.execute(rest).deleted.count == 1)
            #expect(try found(nil) == [all[2]])
        }
        let store = try manager().stores.stores[0]
        #expect(try store.read { try $0.rows(of: "PRAGMA integrity_check") } == [["ok"]])
        #expect(try store.read { try $0.rows(of: "PRAGMA foreign_key_check") }.isEmpty)
    }

    @Test("An accepted name works in saves, fetches, filters and batch requests", arguments: accepted.indices)
    func anAcceptedNameGoesThroughEverything(_ index: Int) throws {
        let folder = try TemporaryFolder()
        let name = Self.accepted[index]
        do {
            try round(name, index % 6, in: folder)
        } catch {
            Issue.record("\(name.debugDescription.prefix(40)) as \(index % 6): \("\(error)".prefix(300))")
        }
    }

    @Test(
        "An invalid name is refused for entities, attributes and relationships",
        arguments: [
            "", "_pk", "_version", "_metadata", "_counter", "_entity", "_x", "sqlite_master", "SQLite_x", "a.b", ".",
            "@count", "@x", "a\u{0}b",
            "\u{0}",
        ])
    func aNameThatCannotBeIsRefused(_ name: String) {
        let property = makeEntity("Fine", [makeAttribute(name)])
        let relationship = makeEntity("Fine", [], [makeRelationship(name, to: "Fine")])
        for entity in [makeEntity(name), property, relationship] {
            let error = #expect(throws: ModelError.self) { try Model(ModelDescription([entity])) }
            #expect(error?.description.contains("\"\(name)\"") == true)
        }
    }

    @Test("Names that differ only in case are refused")
    func namesThatDifferInCaseOnlyAreRefused() {
        func refused(_ said: ModelDescription) {
            let error = #expect(throws: ModelError.self) { try Model(said) }
            #expect(error?.description.contains("differ in case only") == true)
        }
        refused(ModelDescription([makeEntity("A", [makeAttribute("size"), makeAttribute("Size")])]))
        refused(ModelDescription([makeEntity("A"), makeEntity("a")]))
        // Both relationships would have the same join table.
        let relationships = ["to", "To"].map { makeRelationship($0, to: "A", isToMany: true) }
        refused(ModelDescription([makeEntity("A", [], relationships)]))
    }

    @Test("An entity may have up to 1,900 columns, and no more")
    func asManyColumnsAsCanBe() throws {
        func said(_ attributes: Int, orders: Int) -> ModelDescription {
            let froms = (0..<orders).map { makeRelationship("from\($0)", to: "Owner", inverse: "to\($0)") }
            let tos = (0..<orders).map { number in
                makeRelationship("to\(number)", to: "Wide", inverse: "from\(number)", isToMany: true, isOrdered: true)
            }
            let integers = (0..<attributes).map { makeAttribute("a \($0)", .integer64) }
            return ModelDescription([makeEntity("Wide", integers, froms), makeEntity("Owner", [], tos)])
        }
        let folder = try TemporaryFolder()
        let manager = try ContextManager(
            model: try Model(said(1_700, orders: 100)), store: .sqlite(folder.path("wide")))
        try manager.writeAndWait { context in
            let wide = try context.insert(entity: "Wide")
            for number in 0..<1_700 { wide["a \(number)"] = .integer(Int64(number)) }
            try context.insert(entity: "Owner").setObjects([wide], forKey: "to99")
        }
        let count = try manager.writeAndWait { context in
            try context.count(
                FetchRequest<ManagedObject>(entity: "Wide", where: Filter(format: "%K == 1699", "a 1699")))
        }
        #expect(count == 1)
        for (attributes, orders) in [(1_901, 0), (1_701, 100), (1_800, 60)] {
            let error = #expect(throws: ModelError.self) { try Model(said(attributes, orders: orders)) }
            #expect(error?.description.contains("1900 is the limit") == true)
        }
    }

    @Test("Uniqueness constraints get separate indexes even if names contain commas")
    func indexesAreToldApart() throws {
        let attributes = ["b", "c", "b,c"].map { makeAttribute($0) }
        let model = try makeModel(makeEntity("T", attributes, unique: [["b", "c"], ["b,c"]]))
        let connection = try Connection(.memory)
        for statement in Schema(model).creation() { try connection.execute(statement) }
        #expect(
            try connection.value(of: "SELECT COUNT(*) FROM sqlite_master WHERE name LIKE '\\_unique%' ESCAPE '\\'") == 2
        )
    }

    @Test(
        "An invalid store path is refused with an error that names it",
        arguments: ["", "a\u{0}b", "/tmp/\(String(repeating: "n", count: 300))"])
    func aFileThatCannotBeIsRefused(_ path: String) throws {
        let model = try Model(ModelDescription([EntityDescription("A")]))
        let error = #expect(throws: SQLiteError.self) { try ContextManager(model: model, store: .sqlite(path)) }
        #expect(error?.database == path)
    }

    @Test(
        "A store is created under an unusual file name",
        arguments: [
            "a b.sqlite", "x?mode=memory", "file:x", "#%41%", "'\"`", "😀", "e\u{301}", "-x", "a\nb", "~", "x-wal",
        ])
    func aFileWithAStrangeName(_ name: String) throws {
        let folder = try TemporaryFolder()
        let model = try Model(ModelDescription([EntityDescription("A")]))
        let manager = try ContextManager(model: model, store: .sqlite(folder.url.path + "/" + name), alias: "\(UUID())")
        try manager.writeAndWait { _ = try $0.insert(entity: "A") }
        #expect(FileManager.default.fileExists(atPath: folder.path(name)))
    }
}
