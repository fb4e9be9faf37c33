import Foundation
import Testing
import TributaryGraph
import TributarySQLite
import TributaryTestSupport

/// The SQL of requests for values, and the rows that it gives.
@Suite struct ValueCompilerTests {
    private func query(_ world: FetchWorld, _ request: ValueRequest) throws -> ValueQuery {
        try FetchCompiler(schema: world.compiler.schema, model: world.model).query(request)
    }

    private func rows(_ world: FetchWorld, _ request: ValueRequest) throws -> [[FilterValue]] {
        try query(world, request).rows(on: world.connection) { FilterReference(RowKey($0, $1)) }.map(\.values)
    }

    private func error(_ world: FetchWorld, _ request: ValueRequest) -> String? {
        errorText { _ = try query(world, request) }
    }

    @Test("A value request gives all stored properties, or the columns that it names")
    func allThatTheStoreKeeps() throws {
        let world = try FetchWorld.library()
        var request = ValueRequest(entity: "Book", where: "isbn == \("a")")
        let row = try #require(
            try query(world, request).rows(on: world.connection) { FilterReference(RowKey($0, $1)) }.first)
        #expect(
            row.names == [
                "isbn", "published", "price", "weight", "scale", "pages", "cover", "key", "home", "author", "series",
            ])
        #expect(row["price"] == .decimal(9.5) && row["pages"] == .integer(300) && row["weight"] == .null)
        #expect(row["published"] == .date(Date(timeIntervalSince1970: 1000.5)))
        #expect(row["author"] == .object(FilterReference(RowKey(try world.entity("Author"), 1))))
        #expect(row["nothing"] == nil)
        #expect(row.values[0] == "a" && row[0].name == "isbn")
        request.columns = [
            .key("author.name"), .init("twice", .operation(.multiply, .keyPath(["price"]), .constant(2))),
        ]
        #expect(
            try query(world, request).sql.text == """
                SELECT (SELECT "_1"."name" FROM "Person" AS "_1" WHERE "_1"."_pk" = "_o"."author"), \
                _apply('*', 'n', "_o"."price", 'i', ?) FROM "Book" AS "_o" WHERE ("_o"."isbn" IS ?) ORDER BY "_o"."_pk"
                """)
        #expect(try rows(world, request) == [["Ursula", .decimal(19)]])
    }

    @Test("Values have the types of the model, and malformed stored values throw")
    func typesAreThoseOfTheModel() throws {
        let world = try FetchWorld.library()
        let uuid = UUID()
        try world.connection.execute(
            "UPDATE Book SET key = \(uuid.uuidString), home = 'https://example.org/a', cover = \([1, 2] as [UInt8]), weight = 3, scale = 0.5 WHERE _pk = 1"
        )
        var request = ValueRequest(entity: "Book", where: "isbn == 'a'")
        request.columns = ["key", "home", "cover", "weight", "scale"].map { .key($0) } + [.init("self", .subject)]
        #expect(
            try rows(world, request) == [
                [
                    .uuid(uuid), .url(#require(URL(string: "https://example.org/a"))), .data(Data([1, 2])), .double(3),
                    .double(0.5), .object(FilterReference(RowKey(try world.entity("Book"), 1))),
                ]
            ])
        var readers = ValueRequest(entity: "Person")
        readers.columns = [.key("isActive"), .init("self", .subject)]
        try world.connection.execute("UPDATE Person SET isActive = 1")
        let persons = try rows(world, readers)
        #expect(persons.map { $0[0] } == [.boolean(true), .boolean(true), .boolean(true)])
        // A reference has the entity of its object, not the requested superentity.
        #expect(persons[2][1] == .object(FilterReference(RowKey(try world.entity("Reader"), 3))))
        try world.connection.execute("UPDATE Book SET key = 'nonsense' WHERE _pk = 1")
        #expect(throws: FetchError.self) { try rows(world, request) }
        try world.connection.execute("UPDATE Book SET price = '12x' WHERE _pk = 1")
        request.columns = [.key("price")]
        #expect(throws: FetchError.self) { try rows(world, request) }
    }

    @Test("Groups are aggregated, filtered, sorted and limited in SQL")
    func groups() throws {
        let world = try FetchWorld.library()
        var request = ValueRequest(entity: "Book")
        request.columns = [
            .key("author"), .key("author.name"), .init("total", .function(.sum, [.keyPath(["price"])])),
            .init("books", .function(.count, [.subject])),
            .init("each", .operation(.divide, .function(.sum, [.keyPath(["pages"])]), .function(.count, [.subject]))),
        ]
        request.groupBy = [["author"]]
        request.sort = [SortKey("books", ascending: false), SortKey("author.name")]
        #expect(
            try query(world, request).sql.text == """
                SELECT "_r"."_c0", "_r"."_c1", "_r"."_c2", "_r"."_c3", "_r"."_c4", (SELECT "_e"."_entity" FROM "Person" \
                AS "_e" WHERE "_e"."_pk" = "_r"."_c0") FROM (SELECT "_o"."author" AS "_c0", (SELECT "_1"."name" FROM \
                "Person" AS "_1" WHERE "_1"."_pk" = "_o"."author") AS "_c1", _sum('n', "_o"."price") AS "_c2", COUNT(*) \
                AS "_c3", _apply('/', 'n', _sum('i', "_o"."pages"), 'i', COUNT(*)) AS "_c4", "_o"."author" AS "_g0" FROM \
                (SELECT "_o".* FROM "Book" AS "_o" ORDER BY "_o"."_pk") AS "_o" GROUP BY "_o"."author") AS "_r" ORDER BY \
                "_r"."_c3" DESC, "_r"."_c1" ASC, "_r"."_g0"
                """)
        let author = try world.entity("Author")
        func object(_ key: Int64) -> FilterValue { .object(FilterReference(RowKey(author, key))) }
        #expect(
            try rows(world, request) == [
                [object(1), "Ursula", .decimal(21.5), 2, 150], [.null, .null, .decimal(9.5), 1, 300],
                [object(2), "Octavia", 0, 1, 200],
            ])
        request.having = "total > 0 AND author.name != nil"
        #expect(try rows(world, request).map { $0[1] } == ["Ursula"])
        request.having = "books == $n"
        request.variables = ["n": 1]
        request.limit = 1
        request.offset = 1
        #expect(try rows(world, request).map { $0[1] } == ["Octavia"])
    }

    @Test("Aggregates without groupBy give one row, even without matching objects")
    func oneGroupOfAll() throws {
        let world = try FetchWorld.library()
        var request = ValueRequest(entity: "Book", where: "isbn == 'nothing'")
        request.columns = [FilterFunction.sum, .min, .max, .average, .count, .median, .stddev].map {
            .init($0.rawValue, .function($0, [.keyPath(["price"])]))
        }
        #expect(try rows(world, request) == [[0, .null, .null, .null, 0, .null, .null]])
        request.filter = "price != nil"
        #expect(
            try rows(world, request).first?.prefix(5) == [
                .decimal(31), .decimal(9.5), .decimal(12), .decimal(Decimal(31) / 3), 3,
            ])
        request.columns = [.init("first", .function(.min, [.keyPath(["published"])]))]
        #expect(try rows(world, request) == [[.date(Date(timeIntervalSince1970: 1000.5))]])
    }

    @Test("Aggregates of SUBQUERYs and of what is always null are those of all rows, and give one row")
    func aggregatesOfComputedValues() throws {
        let world = try FetchWorld.library()
        func columns(_ texts: String...) throws -> [ValueRequest.Column] {
            try texts.enumerated().map { ValueRequest.Column("c\($0)", try FilterExpression(format: $1)) }
        }
        var request = ValueRequest(entity: "Author")
        request.columns = try columns("sum(count(SUBQUERY(books, $x, $x.price > 10)))", "count(SELF)")
        #expect(try rows(world, request) == [[1, 2]])
        request = ValueRequest(entity: "Book")
        request.columns = try columns("stddev(nil) * count(SELF)")
        #expect(try rows(world, request) == [[.null]])
        request.columns = try columns("sum(nil + pages)", "max(nil + pages)", "count(nil + pages)")
        #expect(try rows(world, request) == [[0, .null, 4]])
        request.filter = .never
        #expect(try rows(world, request) == [[0, .null, 0]])
        request.columns = try columns("sum(max(pages) + 1)")
        #expect(error(world, request)?.contains("is an aggregate of an aggregate") == true)
    }

    @Test("Distinct rows are compared by value, and sorted by their columns only")
    func distinctRows() throws {
        let world = try FetchWorld.library()
        // Another program may write the same decimal in another form.
        try world.connection.execute("UPDATE Book SET price = '9.50' WHERE _pk = 4")
        var request = ValueRequest(entity: "Book")
        request.columns = [.key("price"), .key("pages")]
        request.isDistinct = true
        request.sort = [SortKey("price", ascending: false)]
        #expect(try rows(world, request) == [[.decimal(12), .null], [.decimal(9.5), 300], [.null, 200]])
        #expect(
            try query(world, request).sql.text == """
                SELECT "_r"."_c0", "_r"."_c1" FROM (SELECT "_o"."price" AS "_c0", "_o"."pages" AS "_c1", "_o"."_pk" AS \
                "_pk" FROM "Book" AS "_o") AS "_r" GROUP BY COALESCE(_order('n', "_r"."_c0"), "_r"."_c0"), "_r"."_c1" \
                ORDER BY _order('n', "_r"."_c0") DESC, COALESCE(_order('n', "_r"."_c0"), "_r"."_c0"), "_r"."_c1"
                """)
        request.sort = [SortKey("isbn")]
        #expect(error(world, request) == "fetch: there is no column isbn in the result; it has price, pages")
        request.isDistinct = false
        request.having = "price > 0"
        #expect(try rows(world, request).count == 3)
    }

    @Test("An aggregate of a relationship is computed for each row")
    func functionsOfARelationshipAreValuesOfARow() throws {
        let world = try FetchWorld.library()
        var request = ValueRequest(entity: "Author")
        request.columns = [
            .key("name"), .key("books.@count"), .init("sum", .function(.sum, [.keyPath(["books", "price"])])),
        ]
        request.sort = [SortKey("books.@count", ascending: false)]
        #expect(try rows(world, request) == [["Ursula", 2, .decimal(21.5)], ["Octavia", 1, 0]])
    }

    @Test("Invalid value requests are refused with the reason")
    func whatIsRefusedIsNamed() throws {
        let world = try FetchWorld.library()
        var request = ValueRequest(entity: "Author")
        request.columns = [.key("books")]
        #expect(
            error(world, request)
                == "fetch: Author.books is to-many and has no single value; count it, or request its destination"
        )
        request.columns = [.key("title")]
        #expect(error(world, request) == "filter: Author has no key title")
        request.columns = [.key("name"), .key("name")]
        #expect(error(world, request) == "fetch: the column name appears twice; rename one")
        request.columns = [.key("name"), .init("n", .function(.count, [.subject]))]
        #expect(
            error(world, request)
                == "fetch: name has no single value for a group; group by it, or use an aggregate such as sum, min or max"
        )
        request.columns = [.init("n", .function(.sum, [.keyPath(["name"])]))]
        #expect(error(world, request) == "fetch: sum(name) needs numbers")
        request.columns = [.init("n", .function(.mode, [.keyPath(["name"])]))]
        #expect(error(world, request) == "fetch: the store cannot compute mode(name)")
        request.columns = [.init("n", .function(.sum, [.function(.max, [.keyPath(["id"])])]))]
        #expect(error(world, request) == "fetch: sum(max(id)) is an aggregate of an aggregate; use only one of them")
        request.columns = [.key("name")]
        request.having = "city == 'x'"
        #expect(error(world, request) == "fetch: there is no column city in the result; it has name")
        request.having = nil
        request.groupBy = [["friends"]]
        #expect(error(world, request)?.hasPrefix("fetch: Author.friends is to-many") == true)
        #expect(error(world, ValueRequest(entity: "Ghost"))?.hasPrefix("fetch: there is no entity Ghost") == true)
    }
}
