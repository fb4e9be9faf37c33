import Foundation
import Testing
import TributaryGraph
import TributarySQLite
import TributaryTestSupport

/// Batch updates, which compute and write values in the store.
@Suite struct BatchUpdateTests {
    private func batches(_ world: FetchWorld) -> FetchCompiler {
        FetchCompiler(schema: world.compiler.schema, model: world.model)
    }

    private func update(_ world: FetchWorld, _ update: BatchUpdate) throws -> [Int64] {
        try batches(world).execute(update, on: world.connection).updated.map(\.key)
    }

    private func pages(_ world: FetchWorld) throws -> [SQLValue] {
        try world.connection.rows(of: "SELECT pages FROM Book ORDER BY _pk").map { $0[0] }
    }

    @Test("A batch update writes and reports only rows whose values change")
    func onlyWhatChangesIsWritten() throws {
        let world = try FetchWorld.library()
        let more = BatchUpdate(
            entity: "Book", set: ["pages": .operation(.add, .keyPath(["pages"]), .constant(1))],
            where: "author.name == 'Ursula'")
        #expect(
            try batches(world).query(more).sql.text == """
                UPDATE "Book" AS "_t" SET "pages" = "_n"."_v0", "_version" = "_t"."_version" + 1 FROM (SELECT \
                "_o"."_pk" AS "_k", _store(?, 'n', _apply('+', 'i', "_o"."pages", 'i', ?)) AS "_v0" \
                FROM "Book" AS "_o" WHERE ((SELECT "_1"."name" FROM "Person" AS "_1" WHERE "_1"."_pk" = "_o"."author") \
                IS ?)) AS "_n" WHERE "_t"."_pk" = "_n"."_k" AND "_t"."pages" IS NOT "_n"."_v0" RETURNING "_pk"
                """)
        let (changed, statements) = try world.recording { try update(world, more) }
        #expect(changed == [1])
        #expect(statements.filter { $0.hasPrefix("UPDATE") }.count == 1 && statements.count == 3)
        #expect(try pages(world) == [301, nil, 200, 300])
        #expect(try world.connection.rows(of: "SELECT _version FROM Book ORDER BY _pk") == [[2], [1], [1], [1]])
        #expect(
            try update(world, BatchUpdate(entity: "Book", set: ["pages": .constant(301)], where: "isbn == 'a'")) == [])
        #expect(try update(world, BatchUpdate(entity: "Book", set: ["pages": .constant(nil)])) == [1, 3, 4])
    }

    @Test("A batch update computes every new value before it writes any")
    func everythingIsComputedBefore() throws {
        let world = try FetchWorld.library()
        let sums = BatchUpdate(entity: "Book", set: ["pages": .keyPath(["author", "books", "@sum", "pages"])])
        try world.connection.execute("UPDATE Book SET pages = 10 WHERE _pk = 2")
        _ = try update(world, sums)
        #expect(try pages(world) == [310, 310, 200, 0])
        let swap = BatchUpdate(
            entity: "Person", set: ["name": .keyPath(["city"]), "city": .keyPath(["name"])], where: "id == 10")
        // Only the subentity Author has `city`, so an update of the parent entity cannot name it.
        #expect(throws: FetchError.self) { try update(world, swap) }
        var author = swap
        author.entityName = "Author"
        #expect(try update(world, author) == [1])
        #expect(
            try world.connection.rows(of: "SELECT name, city FROM Person WHERE _pk = 1") == [["Portland", "Ursula"]])
    }

    @Test("A batch update stores each value in its attribute's type")
    func typesAreKept() throws {
        let world = try FetchWorld.library()
        let uuid = UUID()
        let date = Date(timeIntervalSince1970: 7.5)
        let update = BatchUpdate(
            entity: "Book",
            set: [
                "price": .operation(.multiply, .keyPath(["price"]), .constant(2)), "published": .constant(.date(date)),
                "key": .constant(.uuid(uuid)), "cover": .constant(.data(Data([7]))), "weight": .constant(3),
                "scale": .constant(0.1),
                "author": .constant(.object(FilterReference(RowReference(world, "Author", 2)))),
                "home": .keyPath(["home"]), "isbn": .function(.uppercase, [.keyPath(["isbn"])]),
            ], where: "isbn == 'a'")
        #expect(try self.update(world, update) == [1])
        let rows = try world.connection.rows(
            of: "SELECT price, published, key, cover, weight, scale, author, home, isbn FROM Book WHERE _pk = 1")
        #expect(
            rows == [
                [
                    "19", 7.5, .text(uuid.uuidString), .blob([7]), 3.0, .real(Double(Float(0.1))), 2, nil, "A",
                ]
            ])
    }

    /// A reference to a stored object in a filter.
    private struct RowReference: FilterStoredObject, Hashable {
        let storedEntity: Entity
        let storedKey: Int64?

        init(_ world: FetchWorld, _ entity: String, _ key: Int64?) {
            guard let entity = world.model[entity] else { preconditionFailure("no entity \(entity)") }
            storedEntity = entity
            storedKey = key
        }
    }

    @Test("A refused batch update names the property and the reason")
    func whatIsRefusedIsNamed() throws {
        let world = try FetchWorld.library()
        func error(_ entity: String, _ key: String, _ value: FilterExpression) -> String? {
            errorText { _ = try update(world, BatchUpdate(entity: entity, set: [key: value])) }
        }
        func object(_ entity: String, _ key: Int64?) -> FilterExpression {
            .constant(.object(FilterReference(RowReference(world, entity, key))))
        }
        #expect(error("Book", "titel", .constant(1)) == "fetch: Book has no property titel")
        #expect(
            error("Author", "books", .constant(nil))
                == "fetch: Author.books is to-many, which a batch cannot set; set its inverse")
        #expect(
            error("Author", "edits", .constant(nil))
                == "fetch: a batch cannot set Author.edits, since Series.editor is to-one and would have to change too; change the objects instead"
        )
        #expect(
            error("Book", "series", .constant(nil))
                == "fetch: a batch cannot set Book.series, since Series.books is ordered and would have to change too; change the objects instead"
        )
        #expect(
            error("Book", "isbn", .constant(nil))
                == "fetch: Book.isbn is required and cannot be set to null")
        #expect(
            error("Series", "title", .keyPath(["editor", "city"]))
                == "fetch: Series.title is required and cannot be set to null")
        #expect(
            error("Book", "pages", .constant(1.5))
                == "fetch: Book.pages cannot be set to a number with a fraction, or beyond 64 bits, expected Integer 16; convert it with CAST"
        )
        #expect(
            error("Book", "pages", .keyPath(["price"]))
                == "fetch: Book.pages cannot be set to a number with a fraction, or beyond 64 bits, expected Integer 16; convert it with CAST"
        )
        #expect(error("Book", "pages", .cast(.keyPath(["price"]), .integer)) == nil)
        #expect(
            error("Book", "author", object("Reader", 3))
                == "fetch: Book.author refers to Author, and the new value is of another type")
        #expect(
            error("Book", "author", object("Author", nil))
                == "fetch: Book.author is set to an unsaved object; save the object first")
        #expect(
            error("Author", "name", .keyPath(["books", "isbn"]))
                == "fetch: Author.name is set to several values and holds only one")
        #expect(error("Reader", "age", .constant(151)) == "fetch: Reader.age is above 150")
        #expect(
            error("Reader", "age", .operation(.subtract, .keyPath(["age"]), .constant(1000)))
                == "fetch: Reader.age is below 0")
        #expect(error("Reader", "age", .operation(.add, .keyPath(["age"]), .constant(1))) == nil)
        #expect(throws: FetchError.self) { try update(world, BatchUpdate(entity: "Book", set: [:])) }
        // SQLite refuses a reference to a missing row, and the whole update is rolled back.
        let before = try world.connection.rows(of: "SELECT * FROM Book")
        #expect(error("Book", "author", object("Author", 99)) != nil)
        #expect(try world.connection.rows(of: "SELECT * FROM Book") == before)
        #expect(!world.connection.isInTransaction)
    }

    /// An entity with an attribute of each type that is stored, and with inferred ones.
    private static func everyType() throws -> Model {
        let types: [AttributeType] = [
            .integer16, .integer32, .integer64, .decimal, .double, .float, .string, .boolean, .date, .binary, .uuid,
            .uri, .transformable, .json,
        ]
        let kinds: [ValueKinds] = [.integer, .real, .text, [.integer, .text], .all]
        var entity = EntityDescription("E")
        entity.attributes =
            types.enumerated().map { AttributeDescription("a\($0)", $1) }
            + kinds.enumerated().map { .inferred("i\($0)", kinds: $1) }
        var description = ModelDescription([entity])
        description.isInferred = true
        return try Model(description)
    }

    private static func values() throws -> [FilterValue] {
        let days = [0, 1.5, Double.infinity, .nan].map { FilterValue.date(Date(timeIntervalSince1970: $0)) }
        let numbers: [Double] = [0.5, -0.0, 3, 0.1, 1e300, .infinity, .nan]
        let decimals: [Decimal] = [0, 1, 1 / 3, .nan]
        let url = try #require(URL(string: "https://example.org/a%20b"))
        return [
            .null, 0, 1, 2, -1, .integer(1 << 53 + 1), .integer(.max), .boolean(true), .boolean(false), "", "x", "12",
            "[1]", "{\"a\" : [1, \"\\u00e9\"]}", .data(Data([1, 0])), .uuid(UUID()), .url(url),
        ] + days + numbers.map(FilterValue.double) + decimals.map(FilterValue.decimal)
    }

    @Test("A batch update stores and refuses the same values as an object, for each type of attribute")
    func batchesStoreWhatObjectsDo() throws {
        let manager = try ContextManager(model: Self.everyType(), store: .memory)
        let values = try Self.values()
        try manager.newPrivateContext().performAndWait { context in
            let names = try #require(context.model["E"]).attributes.map(\.name)
            let (one, other) = (try context.insert(entity: "E"), try context.insert(entity: "E"))
            try context.save()
            func cells(_ name: String) throws -> [[SQLValue]] {
                try manager.stores.stores[0].read {
                    try $0.rows(of: "SELECT \(identifier: name) FROM E ORDER BY _pk")
                }
            }
            /// Sets an attribute of one object, and the same of the other by a batch.
            func set(_ name: String, _ value: FilterValue, by expression: FilterExpression) throws {
                for object in [one, other] { object[name] = .null }
                try context.save()
                let isFit = (try? one.setValue(value, forKey: name)) != nil
                try context.save()
                let update = BatchUpdate(entity: "E", set: [name: expression], where: "SELF == \(other.objectID)")
                do {
                    try context.execute(update)
                    #expect(isFit, "\(name) has got \(value) by \(expression)")
                } catch let error as FetchError {
                    #expect(!isFit && error.code == .value, "\(name), \(value), \(expression): \(error)")
                }
                let stored = try cells(name)
                #expect(stored[0] == stored[1], "\(name), \(value), \(expression)")
            }
            for name in names {
                for value in values { try set(name, value, by: .constant(value)) }
            }
            for source in names {
                for value in values.dropFirst().filter({ (try? one.setValue($0, forKey: source)) != nil }).prefix(5) {
                    one[source] = value
                    other[source] = value
                    try context.save()
                    // A column of numbers with fractions keeps neither whole numbers nor the sign of zero.
                    try context.refresh(one, mergeChanges: false)
                    let kept = one[source] as FilterValue
                    for name in names where name != source { try set(name, kept, by: .keyPath([source])) }
                }
            }
        }
    }
}
