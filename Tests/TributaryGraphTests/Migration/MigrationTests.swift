import Foundation
import Testing
import TributaryConcurrency
import TributaryGraph
import TributarySQLite
import TributaryTestSupport

/// Each change that can be inferred, and each that cannot.
@Suite("Migration of attributes and entities") struct MigrationTests {
    private static let plain = [makeAttribute("title"), makeAttribute("pages", .integer32)]

    private func model(_ attributes: [AttributeDescription]) throws -> Model {
        try makeModel(makeEntity("Book", attributes))
    }

    /// Books with the titles a to c, of which the last has no pages.
    private func books(_ attributes: [AttributeDescription] = plain) throws -> MigrationWorld {
        try MigrationWorld(model(attributes)) { context in
            for (number, title) in ["a", "b", "c"].enumerated() {
                let book = try context.insert(entity: "Book")
                book["title"] = FilterValue.string(title)
                if number < 2, book.entity["pages"] != nil { book["pages"] = FilterValue.integer(Int64(number)) }
            }
        }
    }

    @Test("An attribute is added, with its default")
    func addedAttributes() throws {
        let world = try books()
        let model = try model([
            makeAttribute("title"), makeAttribute("note"), makeAttribute("pages", .integer32),
            makeAttribute("year", .integer16, isRequired: true, default: .integer(1999)),
        ])
        let plans = try MigrationPlan.plans(for: .sqlite(world.path), to: model)
        #expect(
            plans.map(\.description) == [
                "adds the attribute Book.note\nadds the attribute Book.year, with its default for objects without one"
            ])
        try world.migrate(to: model)
        #expect(
            try world.rows("SELECT note, year, title, _pk FROM Book") == [
                [.null, 1999, "a", 1], [.null, 1999, "b", 2], [.null, 1999, "c", 3],
            ])
        #expect(try MigrationPlan.plans(for: .sqlite(world.path), to: model).isEmpty)
    }

    @Test("A required attribute without a default can be added only to an empty table")
    func addedRequiredAttributes() throws {
        let model = try model(Self.plain + [makeAttribute("isbn", isRequired: true)])
        let reason = try books().refusal(of: model)
        #expect(reason.contains("3 objects of Book have no isbn, which is required: give it a default"))
        try MigrationWorld(self.model(Self.plain)).migrate(to: model)
    }

    @Test("What drops values needs a permission")
    func removedAttributes() throws {
        let world = try books()
        let model = try makeModel(makeEntity("Book", [makeAttribute("title")]))
        #expect(
            try world.refusal(of: model)
                == "the migration would drop values: it removes the attribute pages of Book; keep them in the model, or allow it (MigrationOptions.dropsValues, --drop-values)"
        )
        try world.migrate(to: model) { $0.dropsValues = true }
        #expect(try world.rows("SELECT title FROM Book") == [["a"], ["b"], ["c"]])
        let two = try MigrationWorld(
            makeModel(makeEntity("Book", [makeAttribute("title")]), makeEntity("Tag", [makeAttribute("name")])))
        #expect(try two.refusal(of: model).contains("it removes the entity Tag"))
        try two.migrate(to: model) { $0.dropsValues = true }
    }

    @Test("An attribute becomes required with a default, or if all objects have it")
    func requiredAttributes() throws {
        func model(_ value: ModelValue?) throws -> Model {
            try self.model([
                makeAttribute("title"), makeAttribute("pages", .integer32, isRequired: true, default: value),
            ])
        }
        let world = try books()
        #expect(try world.refusal(of: model(nil)).contains("1 objects of Book have no pages, which is required"))
        try world.migrate(to: model(.integer(7)))
        #expect(try world.rows("SELECT pages FROM Book") == [[0], [1], [7]])
        // And optional again, and required without a default, because all have it.
        try world.migrate(to: self.model(Self.plain))
        try world.migrate(to: model(nil))
        #expect(try world.rows("SELECT pages FROM Book") == [[0], [1], [7]])
    }

    @Test("Attributes, relationships and entities are renamed, also in exchange and in both directions")
    func renames() throws {
        let first = try makeModel(
            makeEntity(
                "Book", [makeAttribute("title"), makeAttribute("note")],
                [makeRelationship("author", to: "Author", inverse: "books")]),
            makeEntity(
                "Author", [makeAttribute("name")],
                [makeRelationship("books", to: "Book", inverse: "author", isToMany: true, isOrdered: true)]))
        let second = try makeModel(
            makeEntity(
                "Author", was: "Book", [makeAttribute("title", was: "note"), makeAttribute("note", was: "title")],
                [makeRelationship("writer", to: "Person", inverse: "works", was: "author")]),
            makeEntity(
                "Person", was: "Author", [makeAttribute("name")],
                [
                    makeRelationship(
                        "works", to: "Author", inverse: "writer", was: "books", isToMany: true, isOrdered: true)
                ]))
        let world = try MigrationWorld(first) { context in
            let (book, author) = (try context.insert(entity: "Book"), try context.insert(entity: "Author"))
            (book["title"], book["note"]) = (FilterValue.string("t"), FilterValue.string("n"))
            author["name"] = FilterValue.string("u")
            book["author"] = FilterValue.object(FilterReference(author.objectID))
        }
        try world.migrate(to: second)
        #expect(
            try world.rows("SELECT title, note, writer, \"_order.Person.works\" FROM Author") == [["n", "t", 1, 0]])
        #expect(try world.rows("SELECT name FROM Person") == [["u"]])
        try world.run("CREATE VIEW byName AS SELECT title AS t FROM Author")
        // The names of the second model are found again by the identifiers of the first.
        try world.migrate(to: first) { $0.versions = [first, second] }
        #expect(try world.rows("SELECT title, note, author, \"_order.Author.books\" FROM Book") == [["t", "n", 1, 0]])
        let connection = try Connection(.file(world.path))
        connection.setUsesSchemaCode(true)
        #expect(try connection.rows(of: "SELECT t FROM byName") == [["n"]])
    }

    @Test("A change of type is refused, except where all values fit; a step computes it")
    func types() throws {
        let world = try books()
        func model(_ type: AttributeType) throws -> Model {
            try makeModel(makeEntity("Book", [makeAttribute("title"), makeAttribute("pages", type)]))
        }
        #expect(
            try world.refusal(of: model(.string)).contains(
                "Book.pages changes its type from Integer 32 to String: compute its values in a custom step"))
        try world.migrate(to: model(.integer64))
        #expect(try world.refusal(of: model(.integer16)).contains("Integer 64 to Integer 16"))
        let text = try model(.string)
        try world.migrate(to: text) { options in
            options.steps = [
                MigrationStep(to: text, "Book", reads: ["pages", "title"], sets: ["pages"]) { old in
                    guard case .integer(let pages)? = old["pages"], case .text(let title)? = old["title"] else {
                        return [:]
                    }
                    return ["pages": .text("\(title): \(pages)")]
                }
            ]
        }
        #expect(try world.rows("SELECT pages FROM Book") == [["a: 0"], ["b: 1"], [.null]])
    }

    @Test("A step may run SQL, read what is removed, and end the migration")
    func steps() throws {
        struct Stop: Error {}
        let world = try books()
        let model = try makeModel(makeEntity("Book", [makeAttribute("label", isRequired: true)]))
        let label = MigrationStep(to: model, "Book", reads: ["title", "pages"], sets: ["label"]) { old in
            guard case .text(let title)? = old["title"] else { return [:] }
            return ["label": .text(title + title)]
        }
        #expect(throws: Stop.self) {
            var options = StoreOptions()
            options.migration.steps = [label, MigrationStep(to: model) { _ in throw Stop() }]
            _ = try SQLiteStore(model, at: .sqlite(world.path), options: options)
        }
        #expect(try world.rows("SELECT title FROM Book") == [["a"], ["b"], ["c"]])
        try world.migrate(to: model) {
            $0.steps = [label, MigrationStep(to: model) { try $0.execute("UPDATE Book SET label = label || '!'") }]
        }
        #expect(try world.rows("SELECT label FROM Book") == [["aa!"], ["bb!"], ["cc!"]])
        let next = try makeModel(makeEntity("Book", [makeAttribute("label", isRequired: true), makeAttribute("x")]))
        let reason = try world.refusal(of: next) {
            $0.steps = [MigrationStep(to: next, "Book", reads: ["title"], sets: ["none"]) { _ in [:] }]
        }
        #expect(reason.contains("computes Book.none, but the model stores no such attribute"))
        #expect(reason.contains("reads Book.title, but the earlier model stores no such attribute"))
    }

    @Test("A uniqueness constraint is added if no values repeat")
    func constraints() throws {
        let world = try books([makeAttribute("title")])
        let model = try makeModel(makeEntity("Book", [makeAttribute("title")], unique: [["title"]]))
        try world.run("UPDATE Book SET title = 'a' WHERE title = 'b'")
        #expect(try world.refusal(of: model).contains("objects repeat the values of Book.title, which become unique"))
        try world.run("UPDATE Book SET title = 'b' WHERE _pk = 2")
        try world.migrate(to: model)
        try world.migrate(to: makeModel(makeEntity("Book", [makeAttribute("title")])))
    }

    @Test("Opening does not change a store whose model differs in nothing that is stored")
    func nothingToDo() throws {
        let world = try books()
        var title = makeAttribute("title", default: .string("?"))
        title.userInfo = ["a": "b"]
        title.isIndexed = true
        let before = try CrashWorld.dump(Connection(.file(world.path)))
        let model = try makeModel(makeEntity("Book", [title, makeAttribute("pages", .integer32)]))
        _ = try SQLiteStore(model, at: .sqlite(world.path))
        #expect(try CrashWorld.dump(Connection(.file(world.path))) == before)
    }

    @Test("A renaming identifier that stays in the model is not applied again")
    func keptIdentifiers() throws {
        let first = try makeModel(makeEntity("Book", [makeAttribute("name")]))
        let renamed = [makeAttribute("title", was: "name"), makeAttribute("name")]
        let second = try makeModel(makeEntity("Book", renamed))
        let world = try MigrationWorld(first) { try $0.insert(entity: "Book")["name"] = FilterValue.string("old") }
        try world.migrate(to: second)
        try world.run("UPDATE Book SET name = 'new'")
        try world.migrate(to: makeModel(makeEntity("Book", renamed + [makeAttribute("x")])))
        #expect(try world.rows("SELECT title, name FROM Book") == [["old", "new"]])
        try SQLiteStore.migrate(
            world.path, to: makeModel(makeEntity("Book", renamed + [makeAttribute("x")])), options: MigrationOptions(),
            lockTimeout: 5)
        #expect(try world.rows("SELECT title, name FROM Book") == [["old", "new"]])
    }

    @Test("A store that was opened before a migration does not write afterwards")
    func openedBefore() throws {
        let world = try books()
        let model = try model(Self.plain)
        let earlier = try SQLiteStore(model, at: .sqlite(world.path))
        try world.migrate(to: self.model(Self.plain + [makeAttribute("x")]))
        let error = #expect(throws: StoreError.self) { try earlier.write { try $0.execute("DELETE FROM Book") } }
        #expect(error?.code == .incompatibleModel)
        #expect(try world.rows("SELECT COUNT(*) FROM Book") == [[3]])
    }

    @Test("A step reads and sets a column that siblings share")
    func stepsOfSiblings() throws {
        let first = try makeModel(
            makeEntity("Shape", [makeAttribute("x")]),
            makeEntity("Circle", parent: "Shape", [makeAttribute("size", .integer32)]),
            makeEntity("Square", parent: "Shape", [makeAttribute("size", .integer32)]))
        let second = try makeModel(
            makeEntity("Shape", [makeAttribute("x")]),
            makeEntity("Circle", parent: "Shape", [makeAttribute("area", .integer32)]),
            makeEntity("Square", parent: "Shape", [makeAttribute("size", .integer32)]))
        let world = try MigrationWorld(first) { context in
            for name in ["Circle", "Square"] { try context.insert(entity: name)["size"] = FilterValue.integer(5) }
        }
        try world.migrate(to: second) { options in
            options.steps = [
                MigrationStep(to: second, "Circle", reads: ["size"], sets: ["area"]) { old in
                    guard case .integer(let size)? = old["size"] else { return [:] }
                    return ["area": .integer(3 * size * size)]
                }
            ]
        }
        #expect(
            try world.rows("SELECT _entity, area, size FROM Shape ORDER BY 1") == [
                ["Circle", 75, .null], ["Square", .null, 5],
            ])
    }

    @Test("Without the switch, and read-only, a store of another model is refused")
    func switches() throws {
        let world = try books()
        let model = try model(Self.plain + [makeAttribute("x")])
        #expect(
            try world.refusal(of: model) { $0.isAutomatic = false }.hasPrefix(
                "it was made for another model: it differs in Book"))
        let options = StoreOptions { $0.isReadOnly = true }
        #expect(throws: StoreError.self) { try SQLiteStore(model, at: .sqlite(world.path), options: options) }
    }

    @Test("An ordered list of versions is followed in both directions")
    func versions() throws {
        let versions = try (1...4).map { number in
            try model([
                makeAttribute("title\(number)", was: number == 1 ? nil : "title\(number - 1)"),
                makeAttribute("pages", .integer32),
            ])
        }
        let world = try MigrationWorld(versions[0]) {
            try $0.insert(entity: "Book")["title1"] = FilterValue.string("x")
        }
        // In one step, the name is unknown.
        #expect(try world.refusal(of: versions[3]).contains("removes the attribute title1 of Book"))
        let log = Guarded<[Double]>([])
        try world.migrate(to: versions[3]) { options in
            options.versions = versions
            options.progress = { progress in log.withLock { $0.append(progress.fraction) } }
        }
        #expect(try world.rows("SELECT title4 FROM Book") == [["x"]])
        let fractions = log.withLock { $0 }
        #expect(fractions == fractions.sorted() && fractions.first == 0 && fractions.last == 1)
        try world.migrate(to: versions[1]) { $0.versions = versions }
        #expect(try world.rows("SELECT title2 FROM Book") == [["x"]])
        #expect(
            try MigrationPlan.plans(for: .sqlite(world.path), to: versions[3]) { $0.versions = versions }.count == 2)
    }
}

extension MigrationPlan {
    fileprivate static func plans(
        for location: StoreLocation, to model: Model, _ change: (inout MigrationOptions) -> Void
    ) throws -> [MigrationPlan] {
        var options = MigrationOptions()
        change(&options)
        return try plans(for: location, to: model, options: options)
    }
}
