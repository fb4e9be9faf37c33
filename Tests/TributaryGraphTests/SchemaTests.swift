import Testing
import TributaryGraph
import TributarySQLite
import TributaryTestSupport

/// The tables and indexes that are created for a model.
@MainActor @Suite struct SchemaTests {
    @Test("The library model is created with the expected tables and indexes")
    func theLibrary() throws {
        let library = try Library()
        let connection = try Connection(.memory)
        for statement in Schema(library.model).creation() { try connection.execute(statement) }
        let rows = try connection.rows(
            of: "SELECT sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY type DESC, name")
        let statements = rows.compactMap { row in if case .text(let text) = row[0] { text } else { nil } }
        #expect(
            statements.contains(
                """
                CREATE TABLE "Person" ("_pk" INTEGER PRIMARY KEY, "_version" INTEGER NOT NULL DEFAULT 1, \
                "_entity" TEXT NOT NULL, "id" INTEGER, "name" TEXT, "isActive" INTEGER, "city" TEXT, \
                "edits" INTEGER REFERENCES "Series" ("_pk") DEFERRABLE INITIALLY DEFERRED, "age" INTEGER)
                """))
        #expect(
            statements.contains(
                """
                CREATE TABLE "Book" ("_pk" INTEGER PRIMARY KEY, "_version" INTEGER NOT NULL DEFAULT 1, "isbn" TEXT, \
                "published" REAL, "price" TEXT, "weight" REAL, "scale" REAL, "pages" INTEGER, "cover" BLOB, "key" TEXT, \
                "home" TEXT, "author" INTEGER REFERENCES "Person" ("_pk") DEFERRABLE INITIALLY DEFERRED, \
                "series" INTEGER REFERENCES "Series" ("_pk") DEFERRABLE INITIALLY DEFERRED, "_order.Series.books" INTEGER)
                """))
        #expect(statements.contains(#"CREATE UNIQUE INDEX "_unique.Person.id" ON "Person" ("id")"#))
        #expect(statements.contains(#"CREATE INDEX "_index.Book.author" ON "Book" ("author")"#))
        #expect(statements.contains(#"CREATE INDEX "_index.Person.city" ON "Person" ("city")"#))
        #expect(
            statements.contains(
                """
                CREATE TABLE "_Person.friends" ("_source" INTEGER NOT NULL REFERENCES "Person" ("_pk") DEFERRABLE \
                INITIALLY DEFERRED, "_target" INTEGER NOT NULL REFERENCES "Person" ("_pk") DEFERRABLE INITIALLY \
                DEFERRED, PRIMARY KEY ("_source", "_target")) WITHOUT ROWID
                """))
        #expect(try connection.rows(of: "PRAGMA integrity_check") == [["ok"]])
        #expect(try connection.rows(of: "PRAGMA foreign_key_check").isEmpty)
    }

    @Test("Sibling entities share a column of equal type, or else its name is prefixed")
    func siblingsShareColumnsOrBearTheirNames() throws {
        let base = makeEntity("Base", isAbstract: true)
        func child(_ name: String, _ type: AttributeType) -> EntityDescription {
            makeEntity(name, parent: "Base", [makeAttribute("size", type)], unique: [["size"]])
        }
        let children = [child("A", .integer64), child("B", .integer16), child("C'\"", .string)]
        let model = try Model(ModelDescription([base] + children))
        let connection = try Connection(.memory)
        for statement in Schema(model).creation() { try connection.execute(statement) }
        let names = try connection.rows(of: "SELECT name FROM pragma_table_info('Base')").map { $0[0] }
        #expect(names == ["_pk", "_version", "_entity", "size", "C'\".size"])
        let indexes = try connection.rows(
            of: "SELECT sql FROM sqlite_master WHERE sql LIKE 'CREATE UNIQUE%' ORDER BY name")
        #expect(indexes.count == 3)
        #expect(
            indexes.last == [
                .text(
                    #"CREATE UNIQUE INDEX "_unique.C'"".""C'"""".size""" ON "Base" ("C'"".size") WHERE "_entity" IN ('C''"')"#
                )
            ])
    }

    @Test("Each name that a model accepts is the same name in the database")
    func anyNameThatAModelAccepts() throws {
        var generator = SeededGenerator.fresh()
        let pieces = [
            "a", "\"", "'", "select", "😀", " ", ";", "--", "[", "]", "`", "é", "e\u{301}", "\n", "%", "?", "$1", ":x",
        ]
        for _ in 0..<200 {
            var entity = EntityDescription("E" + (0..<generator.below(4)).map { _ in generator.pick(pieces) }.joined())
            var seen: Set<[UInt8]> = []
            for _ in 0..<5 {
                let name = "n" + (0..<generator.below(5)).map { _ in generator.pick(pieces) }.joined()
                if seen.insert(Array(name.lowercased().utf8)).inserted {
                    entity.attributes.append(AttributeDescription(name, .string))
                    entity.uniquenessConstraints.append([name])
                }
            }
            guard let model = try? Model(ModelDescription([entity])) else { continue }
            let connection = try Connection(.memory)
            for statement in Schema(model).creation() { try connection.execute(statement) }
            let names = try connection.rows(of: "SELECT name FROM pragma_table_info(\(entity.name))").map { $0[0] }
            let expected = ["_pk", "_version"] + entity.attributes.map(\.name)
            #expect(names == expected.map { .text($0) }, "seed \(generator.seed)")
        }
    }

    @Test("Many-to-many relationships have join tables, with or without an inverse")
    func joinsOfBothKinds() throws {
        let posts = makeRelationship("posts", to: "Post", inverse: "tags", isToMany: true, isOrdered: true)
        let tags = makeRelationship("tags", to: "Tag", inverse: "posts", isToMany: true)
        let seen = makeRelationship("seen", to: "Post", isToMany: true)
        let model = try makeModel(makeEntity("Tag", [], [posts, seen]), makeEntity("Post", [], [tags]))
        let connection = try Connection(.memory)
        for statement in Schema(model).creation() { try connection.execute(statement) }
        func columns(_ table: String) throws -> [[SQLValue]] {
            try connection.rows(of: "SELECT name FROM pragma_table_info(\(table))")
        }
        #expect(try columns("_Post.tags") == [["_source"], ["_target"], ["_sourceOrder"]])
        #expect(try columns("_Tag.seen") == [["_source"], ["_target"]])
        #expect(try connection.rows(of: "SELECT COUNT(*) FROM pragma_foreign_key_list('_Tag.seen')") == [[0]])
    }
}
