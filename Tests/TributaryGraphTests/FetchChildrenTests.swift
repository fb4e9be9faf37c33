import Testing
import TributaryGraph
import TributarySQLite
import TributaryTestSupport

/// Relationships of many owners, each fetched with one statement.
@Suite struct FetchChildrenTests {
    private func sql(_ world: FetchWorld, _ entity: String, _ name: String) throws -> String {
        let relationship = try #require(world.model[entity]?.relationship(named: name))
        return try world.compiler.children(of: relationship, owners: [1], columns: .keys).sql.text
    }

    @Test("A one-to-many relationship of several owners is fetched in one statement")
    func oneToMany() throws {
        let world = try FetchWorld.library()
        #expect(
            try sql(world, "Author", "books") == """
                SELECT "_o"."author", "_o"."_pk" FROM "Book" AS "_o" WHERE "_o"."author" IN \
                (SELECT "_k".value FROM json_each(?) AS "_k") ORDER BY "_o"."author", "_o"."_pk"
                """)
        let (children, statements) = try world.recording { try world.children("Author", "books", of: [2, 1, 7]) }
        #expect(children == [1: [1, 2], 2: [3]])
        #expect(statements.count == 1)
    }

    @Test("An ordered one-to-many relationship is fetched in its order")
    func oneToManyInOrder() throws {
        let world = try FetchWorld.library()
        #expect(
            try sql(world, "Series", "books") == """
                SELECT "_o"."series", "_o"."_pk" FROM "Book" AS "_o" WHERE "_o"."series" IN \
                (SELECT "_k".value FROM json_each(?) AS "_k") ORDER BY "_o"."series", "_o"."_order.Series.books", "_o"."_pk"
                """)
        #expect(try world.children("Series", "books", of: [1, 2]) == [1: [2, 3, 1]])
    }

    @Test("A relationship that is its own inverse is fetched from both sides")
    func aSymmetricOneIsReadFromBothSides() throws {
        let world = try FetchWorld.library()
        #expect(
            try sql(world, "Person", "friends") == """
                SELECT "_j"."_source", "_o"."_pk", "_o"."_entity" FROM (SELECT "_source", "_target" FROM \
                "_Person.friends" WHERE "_source" IN (SELECT "_k".value FROM json_each(?) AS "_k") UNION SELECT \
                "_target", "_source" FROM "_Person.friends" WHERE "_target" IN (SELECT "_k".value FROM json_each(?) AS \
                "_k")) AS "_j" JOIN "Person" AS "_o" ON "_o"."_pk" = "_j"."_target" ORDER BY "_j"."_source", "_o"."_pk"
                """)
        #expect(try world.children("Person", "friends", of: [1, 2, 3]) == [1: [2, 3], 2: [1, 2], 3: [1]])
        #expect(try world.children("Person", "friends", of: [3]) == [3: [1]])
    }

    @Test("A to-one relationship is fetched for several owners at once")
    func toOne() throws {
        let world = try FetchWorld.library()
        #expect(
            try sql(world, "Book", "author") == """
                SELECT "_p"."_pk", "_o"."_pk", "_o"."_entity" FROM "Book" AS "_p" JOIN "Person" AS "_o" ON "_o"."_pk" = \
                "_p"."author" WHERE "_p"."_pk" IN (SELECT "_k".value FROM json_each(?) AS "_k") ORDER BY "_p"."_pk", \
                "_o"."_pk"
                """)
        #expect(try world.children("Book", "author", of: [1, 3, 4]) == [1: [1], 3: [2]])
    }

    /// A model with ordered many-to-many, one-way and symmetric relationships, and siblings that share a column.
    private func world() throws -> FetchWorld {
        func relationship(
            _ name: String, _ destination: String, _ inverse: String?, isToMany: Bool = true, isOrdered: Bool = false
        ) -> RelationshipDescription {
            makeRelationship(
                name, to: destination, inverse: inverse, isToMany: isToMany, isOrdered: isOrdered,
                rule: inverse == nil ? .noAction : .nullify)
        }
        let lists = [
            relationship("songs", "Song", "lists", isOrdered: true), relationship("others", "Song", nil),
            relationship("like", "List", "like", isOrdered: true),
        ]
        let songs = [
            relationship("lists", "List", "songs", isOrdered: true), relationship("parts", "Part", "song"),
            relationship("lines", "Line", "song"),
        ]
        return try FetchWorld(
            makeModel(
                makeEntity("List", [], lists), makeEntity("Song", [], songs), makeEntity("Piece", isAbstract: true),
                makeEntity("Part", parent: "Piece", [], [relationship("song", "Song", "parts", isToMany: false)]),
                makeEntity("Line", parent: "Piece", [], [relationship("song", "Song", "lines", isToMany: false)])))
    }

    @Test("Many-to-many relationships are fetched in the order of either side")
    func manyToManyInOrder() throws {
        let world = try world()
        let statements: [SQLFragment] = [
            "INSERT INTO List (_pk) VALUES (1), (2), (3)", "INSERT INTO Song (_pk) VALUES (1), (2), (3)",
            "INSERT INTO Piece (_pk, _entity, song) VALUES (1, 'Part', 1), (2, 'Line', 1), (3, 'Part', 2), (4, 'Part', 1)",
            """
            INSERT INTO "_List.songs" (_target, _source, _sourceOrder, _targetOrder) VALUES
              (1, 1, 0, 2), (1, 2, 1, 0), (2, 1, 5, 1), (3, 1, 0, 0)
            """,
            "INSERT INTO \"_List.others\" (_source, _target) VALUES (1, 3), (1, 2), (2, 9)",
            "INSERT INTO \"_List.like\" (_source, _target, _targetOrder) VALUES (1, 2, 1), (1, 3, 0), (2, 1, 0)",
        ]
        try world.insert(statements)
        let owner = try #require(world.model["Song"]?.relationship(named: "lists"))
        let isOwner = try world.compiler.children(of: owner, owners: [1]).sql.text.contains("_List.songs")
        #expect(isOwner == (try world.connection.value(of: "SELECT COUNT(*) FROM \"_List.songs\"") == 4))
        #expect(try world.children("List", "songs", of: [1, 2, 3]) == [1: [3, 2, 1], 2: [1]])
        #expect(try world.children("Song", "lists", of: [1, 2]) == [1: [1, 2], 2: [1]])
        // A dangling reference is left out.
        #expect(try world.children("List", "others", of: [1, 2]) == [1: [2, 3]])
        #expect(try world.children("List", "like", of: [1, 2, 3]) == [1: [3, 2], 2: [1], 3: [1]])
        #expect(try world.children("Song", "parts", of: [1, 2, 3]) == [1: [1, 4], 2: [3]])
        #expect(try world.children("Song", "lines", of: [1, 2, 3]) == [1: [2]])
    }

    @Test("The children of 100,000 owners are fetched in one statement")
    func manyOwnersAreOneStatement() throws {
        let world = try FetchWorld.library()
        let (books, statements) = try world.recording {
            try world.children("Author", "books", of: Array(1...100_000))
        }
        #expect(books.count == 2 && statements.count == 1)
        let (friends, more) = try world.recording { try world.children("Person", "friends", of: Array(1...100_000)) }
        #expect(friends.count == 3 && more.count == 1)
    }
}
