import Foundation
import Testing
import TributaryGraph
import TributarySQLite
import TributaryTestSupport

/// What stands beside the tables of entities, and what other programs have added.
@Suite("Migration and everything else in the file") struct MigrationSideTests {
    private let first: Model
    private let second: Model
    private let world: MigrationWorld

    init() throws {
        first = try makeModel(
            makeEntity("Book", [makeAttribute("title"), makeAttribute("pages", .integer32)]),
            makeEntity("Tag", [makeAttribute("name")]))
        second = try makeModel(
            makeEntity(
                "Work", was: "Book",
                [makeAttribute("label", was: "title"), makeAttribute("pages", .integer32), makeAttribute("x")]),
            makeEntity("Tag", [makeAttribute("name")]))
        world = try MigrationWorld(first) { context in
            let book = try context.insert(entity: "Book")
            (book["title"], book["pages"]) = (FilterValue.string("t"), FilterValue.integer(3))
        }
    }

    @Test("Columns, indexes, triggers and views of other programs survive and follow renames")
    func additions() throws {
        try world.run(
            "ALTER TABLE Book ADD COLUMN shelf TEXT", "UPDATE Book SET shelf = 's'",
            "CREATE INDEX byShelf ON Book (shelf, title)", "CREATE VIEW titles AS SELECT title AS t, shelf FROM Book",
            "CREATE TABLE log (line TEXT)",
            "CREATE TRIGGER logged AFTER UPDATE OF title ON Book BEGIN INSERT INTO log VALUES (NEW.title); END")
        let options = StoreOptions { $0.migration = MigrationOptions() }
        _ = try SQLiteStore(second, at: .sqlite(world.path), options: options)
        let connection = try Connection(.file(world.path))
        connection.setUsesSchemaCode(true)
        try connection.execute("UPDATE Work SET label = 'u'")
        #expect(try connection.rows(of: "SELECT t, shelf FROM titles") == [["u", "s"]])
        #expect(try connection.rows(of: "SELECT line FROM log") == [["u"]])
        #expect(try connection.rows(of: "PRAGMA index_info(byShelf)").map { $0[2] } == ["shelf", "label"])
        #expect(try connection.rows(of: "PRAGMA integrity_check") == [["ok"]])
    }

    @Test("What would break what other programs have added is refused by its name")
    func protection() throws {
        let without = try makeModel(
            makeEntity("Book", [makeAttribute("title")]), makeEntity("Tag", [makeAttribute("name")]))
        func reason(_ statement: SQLFragment, _ model: Model, undo: SQLFragment) throws -> String {
            try world.run(statement)
            defer { try? world.run(undo) }
            return try world.refusal(of: model) { $0.dropsValues = true }
        }
        let view = try reason("CREATE VIEW long AS SELECT * FROM Book WHERE pages > 9", without, undo: "DROP VIEW long")
        #expect(view.contains("view long"))
        let index = try reason("CREATE INDEX byPages ON Book (pages)", without, undo: "DROP INDEX byPages")
        #expect(index.contains("byPages"))
        let trigger = try reason(
            "CREATE TRIGGER counted AFTER INSERT ON Book BEGIN UPDATE Book SET pages = 1; END", without,
            undo: "DROP TRIGGER counted")
        #expect(trigger.contains("the trigger counted would no longer work"))
        let onlyBooks = try makeModel(makeEntity("Book", [makeAttribute("title"), makeAttribute("pages", .integer32)]))
        let dropped = try reason("CREATE INDEX byName ON Tag (name)", onlyBooks, undo: "DROP INDEX byName")
        #expect(dropped.contains("another program has made the index byName on Tag"))
        try world.run("ALTER TABLE Tag ADD COLUMN color TEXT")
        #expect(try world.refusal(of: onlyBooks) { $0.dropsValues = true }.contains("the column color to Tag"))
        try world.run("ALTER TABLE Tag DROP COLUMN color", "CREATE VIEW tags AS SELECT name FROM Tag")
        #expect(
            try world.refusal(of: onlyBooks) { $0.dropsValues = true }.contains("the view tags would no longer work"))
        try world.run("DROP VIEW tags", "ALTER TABLE Book ADD COLUMN x TEXT")
        let clash = try makeModel(
            makeEntity("Book", [makeAttribute("title"), makeAttribute("pages", .integer32), makeAttribute("x")]),
            makeEntity("Tag", [makeAttribute("name")]))
        #expect(try world.refusal(of: clash).contains("duplicate column name: x"))
        try world.run(
            "ALTER TABLE Book DROP COLUMN x", "CREATE TABLE mine (id, book REFERENCES Tag (_pk))",
            "INSERT INTO Tag (_pk) VALUES (1)", "INSERT INTO mine VALUES (1, 1)")
        #expect(
            try world.refusal(of: onlyBooks) { $0.dropsValues = true }.contains("rows of mine refer to rows of Tag"))
    }

    @Test("An unfinished load is refused")
    func loads() throws {
        try world.run("INSERT INTO _metadata (\"key\", \"value\") VALUES ('load Book', '7 0 0 0 0 0')")
        #expect(try world.refusal(of: second).contains("run 7 has not finished loading Book"))
    }

    @Test("Guests in a database of another program leave its tables alone")
    func guests() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("theirs.sqlite")
        do {
            let connection = try Connection(.file(path))
            try connection.execute("CREATE TABLE theirs (id INTEGER PRIMARY KEY, name TEXT)")
            try connection.execute("INSERT INTO theirs VALUES (1, 'a')")
        }
        try SQLiteStore(first, at: .sqlite(path)).write { try $0.execute("INSERT INTO Book (title) VALUES ('t')") }
        _ = try SQLiteStore(second, at: .sqlite(path))
        let connection = try Connection(.file(path))
        #expect(try connection.rows(of: "SELECT name FROM theirs") == [["a"]])
        #expect(try connection.rows(of: "SELECT label FROM Work") == [["t"]])
    }

    @Test("A store of a configuration migrates its own entities")
    func configurations() throws {
        func model(_ name: String) throws -> Model {
            var description = ModelDescription([
                makeEntity("A", [makeAttribute(name, was: name == "y" ? "x" : nil)]),
                makeEntity("B", [makeAttribute(name, was: name == "y" ? "x" : nil)]),
            ])
            description.configurations = [.init("one", ["A"]), .init("two", ["B"])]
            return try Model(description)
        }
        let folder = try TemporaryFolder()
        let places = [
            StorePlacement("one", at: .sqlite(folder.path("one.sqlite"))),
            StorePlacement("two", at: .sqlite(folder.path("two.sqlite"))),
        ]
        for place in places {
            let earlier = try SQLiteStore(model("x"), configuration: place.configuration, at: place.location)
            let name = place.configuration == "one" ? "A" : "B"
            try earlier.write { try $0.execute("INSERT INTO \(identifier: name) (x) VALUES ('v')") }
            earlier.close()
            let later = try SQLiteStore(model("y"), configuration: place.configuration, at: place.location)
            #expect(try later.read { try $0.rows(of: "SELECT y FROM \(identifier: name)") } == [["v"]])
        }
        #expect(
            try Connection(.file(folder.path("one.sqlite"))).rows(of: "SELECT name FROM sqlite_master WHERE name = 'B'")
                .isEmpty)
    }
}
