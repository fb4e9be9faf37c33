import Testing
import TributaryGraph
import TributarySQLite
import TributaryTestSupport

/// Requests for objects: their SQL, and the rows that it returns.
@Suite struct FetchCompilerTests {
    @Test("A request compiles its filter, sort and limit to SQL with bindings")
    func objectsOfOneEntity() throws {
        let world = try FetchWorld.library()
        var request = RowRequest(
            entity: "Book", where: "price == \(9.5) AND author != nil OR isbn == 'd'",
            sort: [SortKey("pages"), SortKey("price")])
        request.limit = 5
        let query = try world.compiler.rows(request)
        #expect(
            query.sql.text == """
                SELECT "_o"."_pk", "_o"."_version", "_o"."isbn", "_o"."published", "_o"."price", "_o"."weight", \
                "_o"."scale", "_o"."pages", "_o"."cover", "_o"."key", "_o"."home", "_o"."author", "_o"."series" \
                FROM "Book" AS "_o" WHERE ((_test('==', 0, 'n', "_o"."price", 'r', ?) AND ("_o"."author" IS NOT NULL)) \
                OR ("_o"."isbn" IS ?)) ORDER BY "_o"."pages" ASC, _order('n', "_o"."price") ASC, "_o"."_pk" LIMIT ?
                """)
        #expect(query.sql.bindings == [9.5, "d", 5])
        #expect(try world.keys(query) == [1, 4])
        let layout = query.layout
        #expect(layout.keyColumn == 0 && layout.versionColumn == 1 && layout.entityColumn == nil)
        let book = try world.entity("Book")
        #expect(layout.positions(of: book).compactMap { $0 } == Array(2..<layout.columnCount))
        let pages = try #require(book.attribute(named: "pages"))
        #expect(layout.positions(of: book)[pages.slot] == 7)
    }

    @Test("A request for a parent entity returns objects of all subentities")
    func objectsOfAParentAreThoseOfAllSubentities() throws {
        let world = try FetchWorld.library()
        let query = try world.compiler.rows(RowRequest(entity: "Person", sort: [SortKey("name", ascending: false)]))
        #expect(
            query.sql.text == """
                SELECT "_o"."_pk", "_o"."_version", "_o"."_entity", "_o"."id", "_o"."name", "_o"."isActive", "_o"."city", \
                "_o"."edits", "_o"."age" FROM "Person" AS "_o" ORDER BY "_o"."name" DESC, "_o"."_pk"
                """)
        #expect(
            try query.keys(on: world.connection) == [
                RowKey(world.entity("Author"), 1), RowKey(world.entity("Reader"), 3), RowKey(world.entity("Author"), 2),
            ])
        let reader = try world.entity("Reader")
        let age = try #require(reader.attribute(named: "age"))
        let friends = try #require(reader.relationship(named: "friends"))
        #expect(query.layout.positions(of: reader)[age.slot] == 8)
        #expect(query.layout.positions(of: reader)[friends.slot] == nil)
        // A request for a subentity reads only the columns of that subentity.
        let readers = try world.compiler.rows(RowRequest(entity: "Reader"))
        #expect(
            readers.sql.text == """
                SELECT "_o"."_pk", "_o"."_version", "_o"."_entity", "_o"."id", "_o"."name", "_o"."isActive", "_o"."age" \
                FROM "Person" AS "_o" WHERE "_o"."_entity" IN (?) ORDER BY "_o"."_pk"
                """)
        #expect(try world.keys(readers) == [3])
        var alone = RowRequest(entity: "Person")
        alone.includesSubentities = false
        #expect(try world.keys(world.compiler.rows(alone)).isEmpty)
    }

    @Test("Requests for IDs and counts respect variables, limit and offset")
    func idsAndCounts() throws {
        let world = try FetchWorld.library()
        var request = RowRequest(entity: "Author", where: "name == $name")
        request.variables = ["name": "Ursula"]
        let ids = try world.compiler.rows(request, .keys)
        #expect(
            ids.sql.text == """
                SELECT "_o"."_pk", "_o"."_entity" FROM "Person" AS "_o" WHERE "_o"."_entity" IN (?) \
                AND ("_o"."name" IS ?) ORDER BY "_o"."_pk"
                """)
        #expect(try world.keys(ids) == [1])
        var books = RowRequest(entity: "Book")
        #expect(try world.compiler.count(books).text == "SELECT COUNT(*) FROM \"Book\" AS \"_o\"")
        #expect(try world.compiler.count(books, on: world.connection) == 4)
        books.limit = 3
        books.offset = 2
        #expect(
            try world.compiler.count(books).text
                == "SELECT COUNT(*) FROM (SELECT 1 FROM \"Book\" AS \"_o\" LIMIT ? OFFSET ?)")
        #expect(try world.compiler.count(books, on: world.connection) == 2)
        books.limit = nil
        #expect(try world.keys(world.compiler.rows(books, .keys)) == [3, 4])
    }

    @Test("Rows are fetched by any number of keys in one statement")
    func rowsByTheirKeys() throws {
        let world = try FetchWorld.library()
        let book = try world.entity("Book")
        let query = world.compiler.rows(of: book, keys: [3, 1, 99, 1], columns: .versions)
        #expect(
            query.sql.text == """
                SELECT "_o"."_pk", "_o"."_version" FROM "Book" AS "_o" WHERE "_o"."_pk" IN \
                (SELECT "_k".value FROM json_each(?) AS "_k") ORDER BY "_o"."_pk"
                """)
        #expect(try world.keys(query) == [1, 3])
        #expect(try world.keys(world.compiler.rows(of: world.entity("Reader"), keys: [1, 2, 3])) == [3])
        let (keys, statements) = try world.recording {
            try world.keys(world.compiler.rows(of: book, keys: 1...300_000))
        }
        #expect(keys == [1, 2, 3, 4] && statements.count == 1)
    }

    @Test("An invalid request throws an error that names the faulty part")
    func whatIsWrongIsSaidByName() throws {
        let world = try FetchWorld.library()
        func error(_ request: RowRequest) -> String? {
            errorText { _ = try world.compiler.rows(request) }
        }
        #expect(
            error(RowRequest(entity: "Boook"))
                == "fetch: there is no entity Boook; the model has Author, Book, Person, Reader, Series")
        #expect(error(RowRequest(entity: "Book", where: "titel == 1")) == "filter: Book has no key titel")
        #expect(error(RowRequest(entity: "Book", sort: [SortKey("titel")])) == "filter: Book has no key titel")
        #expect(error(RowRequest(entity: "Book", where: "isbn == ")) != nil)
        #expect(error(RowRequest(entity: "Book", where: "isbn == $x")) == "filter: the variable $x has no value")
        #expect(
            error(RowRequest(entity: "Author", sort: [SortKey("books")]))
                == "filter: books has no single value to sort by")
        var request = RowRequest(entity: "Book")
        request.offset = -1
        #expect(
            error(request) == "fetch: limit and offset must not be negative; a limit of nil means all rows")
        #expect(throws: FetchError.self) {
            try world.compiler.relationships(along: "author.name", from: world.entity("Book"))
        }
        #expect(
            try world.compiler.relationships(along: "author.books", from: world.entity("Book")).map(\.name)
                == ["author", "books"])
    }

    @Test("A row that names an unknown entity is refused")
    func aRowThatSaysNonsenseIsDamaged() throws {
        let world = try FetchWorld.library()
        try world.connection.execute("UPDATE Person SET _entity = 'Robot' WHERE _pk = 2")
        let error = #expect(throws: FetchError.self) {
            try world.keys(world.compiler.rows(RowRequest(entity: "Person")))
        }
        #expect(error?.reason == "row 2 of Person has the entity Robot, expected Person or a subentity")
    }
}
