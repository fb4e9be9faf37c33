import Foundation
import Testing
import TributaryGraph
import TributaryImport
import TributaryJSON
import TributarySQLite
import TributaryTestSupport

import Tributary

/// A model of its own: attributes that are derived from each other, and from other objects.
private final class Poet: ManagedObject {
    @Attribute(.unique) var id: Int
    // It is declared before the attribute that it depends on.
    @Attribute(.derived("uppercase:(plain)")) var loud: String?
    @Attribute var name: String?
    @Attribute(.derived("canonical:(name)")) var plain: String?
    @Attribute(.derived("length(name)"), .range(...9)) var length: Int?
    @Attribute(.derived("poems.@count")) var count: Int
    @Attribute(.derived("poems.@sum.lines")) var lines: Int
    // It depends on an attribute that is computed later.
    @Attribute(.derived("poems.@sum.width")) var widths: Int
    @Attribute(.derived("id * 2")) var rank: Int?
    @Relationship(inverse: \Poem.poet) var poems: ToMany<Poem>
}

/// A poem, which knows the name of its poet.
private final class Poem: ManagedObject {
    @Attribute(.unique) var id: Int
    @Attribute var lines: Int?
    @Attribute(.derived("poet.name")) var by: String?
    @Attribute(.derived("poet.length")) var width: Int?
    @Attribute(.derived("poet.rank")) var rank: Int?
    @Relationship(.required) var poet: Poet?
}

/// Entities of which SQL cannot compute an attribute, or whose derived values are unique.
private final class Odd: ManagedObject {
    @Attribute(.unique) var id: Int
    @Attribute var name: String?
    @Attribute(.derived("random()")) var chance: Double?
}

private final class Only: ManagedObject {
    @Attribute(.unique) var id: Int
    @Attribute var name: String?
    @Attribute(.unique, .derived("canonical:(name)")) var plain: String?
}

/// Derived attributes of rows that are imported without objects.
@Suite struct DerivedRowTests {
    private let folder: TemporaryFolder
    private let manager: ContextManager
    private var store: SQLiteStore { manager.stores.stores[0] }

    init() throws {
        folder = try TemporaryFolder()
        manager = try ContextManager(
            model: Model(Poet.self, Poem.self, Odd.self, Only.self), store: .sqlite(folder.path("poets.sqlite")))
    }

    @discardableResult
    private func load(
        _ text: String, into entity: String, _ change: (inout ImportOptions) -> Void = { _ in }
    ) throws -> ImportSummary {
        var options = ImportOptions()
        options.onError = .quarantine
        change(&options)
        return try manager.load(.text(text), [.rows(entity, at: "[]", key: "id")], options)
    }

    private func poets() throws -> [[SQLValue]] {
        try store.read {
            try $0.rows(
                of: "SELECT \"id\", \"plain\", \"loud\", \"length\", \"count\", \"lines\" FROM \"Poet\" ORDER BY 1")
        }
    }

    private func widths() throws -> [[SQLValue]] {
        try store.read { try $0.rows(of: "SELECT \"widths\" FROM \"Poet\" ORDER BY \"id\"") }
    }

    @Test("Seeds compute what derived attributes of later entities are the source of")
    func seeds() throws {
        let seed = #"{"Poet": {"id": 1, "name": "Ada", "poems": {"Poem": [{"id": 1}, {"id": 2}]}}}"#
        let file = try folder.write(seed.utf8, to: "seed.json")
        let run = try SeedRun(store, [URL(filePath: file)], nil, repeats: false)
        _ = try run.plant { SeedRows(manager.stores, on: $0) }
        #expect(try widths() == [[6]])
    }

    private static let feed = """
        [{"id":1,"name":"Émile","poems":[{"id":1,"lines":3},{"id":2,"lines":4}]},{"id":2,"name":"Ada"},
        {"id":1,"poems":[{"id":1,"lines":5},{"id":2},{"id":3}]},{"id":3}]
        """

    @Test("Derived attributes of rows are computed from each other and from nested objects", arguments: [1, 2, 100])
    func values(_ batchSize: Int) throws {
        let counts = try load(Self.feed, into: "Poet") { $0.batchSize = batchSize }.tally
        #expect(counts == [4, 3, 0, 1, 0, 0, 0])
        let expected: [[SQLValue]] = [
            [1, "emile", "EMILE", 5, 3, 9], [2, "ada", "ADA", 3, 0, 0], [3, .null, .null, .null, 0, 0],
        ]
        #expect(try poets() == expected)
        let names = try store.read { try $0.rows(of: "SELECT \"by\" FROM \"Poem\" ORDER BY \"id\"") }
        #expect(names == [["Émile"], ["Émile"], ["Émile"]])
        #expect(try widths() == [[15], [0], [0]])
        // A save of the objects computes the same.
        try manager.writeAndWait { context in
            for poet in try Poet.all(in: context) { poet.name = poet.name.map { $0 + "x" } }
            try context.save()
            for poet in try Poet.all(in: context) { poet.name = poet.name.map { String($0.dropLast()) } }
        }
        #expect(try poets() == expected)
        // A repeated import changes nothing.
        let again = try load(#"[{"id":1,"name":"Émile"},{"id":2,"name":"Ada"},{"id":3}]"#, into: "Poet")
        #expect(again.tally == [3, 0, 0, 3, 0, 0, 0])
        #expect(try poets() == expected)
    }

    @Test("A changed nested object changes what its owner derives from it, and an undo restores both")
    func laterRuns() throws {
        try load(Self.feed, into: "Poet")
        let before = try poets()
        try load(#"[{"id":2,"name":"Äda","poems":[{"id":3,"lines":7}]}]"#, into: "Poet") { $0.isUndoable = true }
        #expect(try poets().map { Array($0.suffix(2)) } == [[2, 9], [1, 7], [0, 0]])
        #expect(try poets()[1].prefix(4) == [2, "ada", "ADA", 3])
        _ = try manager.imports.undo()
        #expect(try poets() == before)
        // A poem that no poet lists any more goes.
        try load(#"[{"id":1,"poems":[{"id":1}]}]"#, into: "Poet") { $0.isUndoable = true }
        #expect(try poets()[0].suffix(2) == [1, 5])
        try load(#"[{"id":1,"lines":6}]"#, into: "Poem")
        #expect(try poets()[0].suffix(2) == [1, 6])
        #expect(throws: ImportError.self) { try manager.imports.undo() }
    }

    @Test("What is derived from a stub is computed after the stub")
    func stubs() throws {
        var mapping = Mapping()
        mapping["poet"].dangling = .stub
        try load(#"[{"id":1,"poet":7}]"#, into: "Poem") { $0.mappings = ["Poem": mapping] }
        #expect(try store.read { try $0.rows(of: "SELECT \"rank\" FROM \"Poem\"") } == [[14]])
    }

    @Test("A dry run shows derived attributes, and keeps none")
    func dryRun() throws {
        try load(#"[{"id":1,"name":"a"}]"#, into: "Poet")
        var options = ImportOptions()
        options.isDryRun = true
        let feed = StreamImport(
            into: manager, from: [.text(#"[{"id":1,"name":"B"}]"#)], routes: [.rows("Poet", at: "[]")], options: options
        )
        _ = try feed.perform()
        #expect(feed.sample.count == 1)
        #expect(try poets().first?[1] == "a")
    }

    @Test("A derived value that does not fit, or is not unique, ends the import, and nothing of its group stays")
    func faults() throws {
        let long = #expect(throws: ImportError.self) {
            try load(#"[{"id":1,"name":"short"},{"id":2,"name":"much too long"}]"#, into: "Poet")
        }
        #expect(
            long?.code == .derived && long?.reason.contains("Poet.length") ?? false
                && long?.reason.contains("Poet with id 2") ?? false, "\(long.map { "\($0)" } ?? "")")
        #expect(try poets() == [])
        let twice = #expect(throws: ImportError.self) {
            try load(#"[{"id":1,"name":"é"},{"id":2,"name":"E"}]"#, into: "Only")
        }
        #expect(twice?.code == .derived, "\(twice.map { "\($0)" } ?? "")")
        let odd = #expect(throws: ImportError.self) { try load(#"[{"id":1}]"#, into: "Odd") }
        #expect(odd?.code == .route, "\(odd.map { "\($0)" } ?? "")")
    }

    @Test("Records without a key become rows with derived attributes, also in a load")
    func keyless() throws {
        for firstLoad in [ImportOptions.FirstLoad.inGroups, .direct] {
            var options = ImportOptions()
            options.firstLoad = firstLoad
            try manager.load(
                .text(#"[{"id":1,"name":"Ö"}]"#),
                [firstLoad == .direct ? .newRows("Only", at: "[]") : .newRows("Poet", at: "[]")], options)
        }
        #expect(try poets() == [[1, "o", "O", 1, 0, 0]])
        #expect(try store.read { try $0.rows(of: "SELECT \"plain\" FROM \"Only\"") } == [["o"]])
    }
}
