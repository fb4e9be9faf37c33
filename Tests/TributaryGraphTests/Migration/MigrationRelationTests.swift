import Testing
import TributaryGraph
import TributarySQLite
import TributaryTestSupport

/// Each change of relationships and hierarchies that can be inferred, and each that cannot.
@Suite("Migration of relationships and hierarchies") struct MigrationRelationTests {
    /// Two authors with the books 1, 2 and 3; book 4 has none.
    private static func library(_ book: RelationshipDescription, _ author: RelationshipDescription?) throws -> Model {
        try makeModel(
            makeEntity("Book", [makeAttribute("title")], [book]),
            makeEntity("Author", [makeAttribute("name")], author.map { [$0] } ?? []))
    }

    private static func toOne(_ inverse: String?) -> RelationshipDescription {
        makeRelationship("author", to: "Author", inverse: inverse)
    }

    private static func toMany(_ inverse: String?, isOrdered: Bool = false) -> RelationshipDescription {
        makeRelationship("books", to: "Book", inverse: inverse, isToMany: true, isOrdered: isOrdered)
    }

    private func world(_ model: Model) throws -> MigrationWorld {
        try MigrationWorld(model) { context in
            let books = try (1...4).map { _ in try context.insert(entity: "Book") }
            let authors = try (1...2).map { _ in try context.insert(entity: "Author") }
            try context.obtainPermanentIDs(for: books + authors)
            for (number, book) in books.enumerated() { book["title"] = FilterValue.string("\(number + 1)") }
            let owners = [authors[0], authors[1], authors[0]]
            if model["Book"]?.relationship(named: "author") != nil {
                for (book, author) in zip(books, owners) {
                    book["author"] = FilterValue.object(FilterReference(author.objectID))
                }
            }
            guard let many = model["Author"]?.relationship(named: "books") else { return }
            for (author, own) in [(authors[0], [books[2], books[0]]), (authors[1], [books[1]])]
            where many.isOrdered || many.inverse == nil {
                author["books"] = FilterValue.list(own.map { .object(FilterReference($0.objectID)) })
            }
        }
    }

    private static let pairs: [[SQLValue]] = [[1, 1], [1, 3], [2, 2]]

    @Test("To-one becomes to-many, with and without an inverse")
    func toMany() throws {
        // Without an inverse: a join table.
        let one = try world(Self.library(Self.toOne(nil), nil))
        try one.migrate(to: Self.library(makeRelationship("author", to: "Author", isToMany: true), nil))
        #expect(try one.rows("SELECT _target, _source FROM \"_Book.author\" ORDER BY 1, 2") == Self.pairs)
        // With an inverse that is to-many as well; its order is kept.
        let two = try world(Self.library(Self.toOne("books"), Self.toMany("author", isOrdered: true)))
        let both = makeRelationship("author", to: "Author", inverse: "books", isToMany: true)
        try two.migrate(to: Self.library(both, Self.toMany("author", isOrdered: true)))
        #expect(
            try two.rows("SELECT _source, _target, _targetOrder FROM \"_Author.books\" ORDER BY 1, 2") == [
                [1, 1, 1], [1, 3, 0], [2, 2, 0],
            ])
    }

    @Test("To-many becomes to-one only by a custom step")
    func toOne() throws {
        let world = try world(Self.library(Self.toOne("books"), Self.toMany("author")))
        var book = makeRelationship("books", to: "Book", inverse: "author")
        book.isToMany = false
        #expect(
            try world.refusal(of: Self.library(Self.toOne("books"), book)).contains(
                "Author.books becomes to-one: give it another name"))
    }

    @Test("Relationships become ordered and unordered")
    func order() throws {
        let plain = try Self.library(Self.toOne("books"), Self.toMany("author"))
        let ordered = try Self.library(Self.toOne("books"), Self.toMany("author", isOrdered: true))
        let one = try world(plain)
        try one.migrate(to: ordered)
        #expect(
            try one.rows("SELECT _pk, \"_order.Author.books\" FROM Book") == [[1, 0], [2, 0], [3, 1], [4, .null]])
        try one.migrate(to: plain)
        #expect(try one.rows("SELECT author FROM Book ORDER BY _pk") == [[1], [2], [1], [.null]])
        let many = makeRelationship("author", to: "Author", inverse: "books", isToMany: true)
        let join = try world(Self.library(many, Self.toMany("author")))
        try join.migrate(to: Self.library(many, Self.toMany("author", isOrdered: true)))
        #expect(
            try join.rows("SELECT _source, _target, _targetOrder FROM \"_Author.books\" ORDER BY 1, 2") == [
                [1, 1, 0], [1, 3, 1], [2, 2, 0],
            ])
        try join.migrate(to: Self.library(many, Self.toMany("author")))
        #expect(try join.rows("SELECT * FROM \"_Author.books\" ORDER BY 1, 2") == Self.pairs)
    }

    @Test("Inverses are added and removed")
    func inverses() throws {
        // To-one without an inverse, to one-to-many and back.
        let alone = try Self.library(Self.toOne(nil), nil)
        let world = try world(alone)
        // A reference to nothing is possible without an inverse.
        try world.run("UPDATE Book SET author = 99 WHERE _pk = 4")
        try world.migrate(to: Self.library(Self.toOne("books"), Self.toMany("author")))
        #expect(try world.rows("SELECT author FROM Book ORDER BY _pk") == [[1], [2], [1], [.null]])
        // The to-one side is removed: its links are those of the to-many side.
        let onlyMany = try makeModel(
            makeEntity("Book", [makeAttribute("title")]),
            makeEntity("Author", [makeAttribute("name")], [Self.toMany(nil)]))
        try world.migrate(to: onlyMany)
        #expect(try world.rows("SELECT * FROM \"_Author.books\" ORDER BY 1, 2") == Self.pairs)
        // And comes back, as long as no book has two authors.
        try world.migrate(to: Self.library(Self.toOne("books"), Self.toMany("author")))
        #expect(try world.rows("SELECT author FROM Book ORDER BY _pk") == [[1], [2], [1], [.null]])
        try world.migrate(to: onlyMany)
        try world.run("INSERT INTO \"_Author.books\" VALUES (2, 1)")
        #expect(
            try world.refusal(of: Self.library(Self.toOne("books"), Self.toMany("author"))).contains(
                "would have several Book.author"))
        // One-to-one: refused, because an author has two books.
        let single = try self.world(alone)
        let one = makeRelationship("book", to: "Book", inverse: "author")
        #expect(
            try single.refusal(of: Self.library(Self.toOne("book"), one)).contains("would have several Author.book"))
        try single.run("UPDATE Book SET author = NULL WHERE _pk = 3")
        try single.migrate(to: Self.library(Self.toOne("book"), one))
        #expect(try single.rows("SELECT book FROM Author") == [[1], [2]])
    }

    @Test("Symmetric relationships keep a pair as one row, and two relationships become inverses if they agree")
    func pairs() throws {
        func people(_ inverse: String?, isToMany: Bool) throws -> Model {
            try makeModel(
                makeEntity("P", [], [makeRelationship("peers", to: "P", inverse: inverse, isToMany: isToMany)]))
        }
        let one = try MigrationWorld(people("peers", isToMany: false)) { context in
            let all = try (0..<3).map { _ in try context.insert(entity: "P") }
            try context.obtainPermanentIDs(for: all)
            all[0]["peers"] = FilterValue.object(FilterReference(all[1].objectID))
        }
        try one.migrate(to: people("peers", isToMany: true))
        #expect(try one.rows("SELECT * FROM \"_P.peers\"") == [[1, 2]])
        try one.migrate(to: people(nil, isToMany: true))
        #expect(try one.rows("SELECT * FROM \"_P.peers\" ORDER BY 1") == [[1, 2], [2, 1]])
        try one.run("INSERT INTO \"_P.peers\" VALUES (3, 1)")
        #expect(
            try one.refusal(of: people("peers", isToMany: true)).contains("P.peers and P.peers become inverses"))
        try one.run("INSERT INTO \"_P.peers\" VALUES (1, 3)")
        try one.migrate(to: people("peers", isToMany: true))
        #expect(try one.rows("SELECT * FROM \"_P.peers\" ORDER BY 1, 2") == [[1, 2], [1, 3]])
        // Two independent relationships.
        let two = try world(Self.library(Self.toOne(nil), Self.toMany(nil)))
        #expect(try two.rows("SELECT * FROM \"_Author.books\" ORDER BY 1, 2") == Self.pairs)
        let joined = try Self.library(Self.toOne("books"), Self.toMany("author"))
        try two.run("UPDATE Book SET author = 1 WHERE _pk = 4")
        #expect(
            try two.refusal(of: joined).contains(
                "Book.author and Author.books become inverses, but have different links"))
        try two.run("UPDATE Book SET author = NULL WHERE _pk = 4")
        try two.migrate(to: joined)
        #expect(try two.rows("SELECT author FROM Book ORDER BY _pk") == [[1], [2], [1], [.null]])
    }

    @Test("Relationships are added, removed, and change their numbers; another destination is refused")
    func others() throws {
        let none = try makeModel(
            makeEntity("Book", [makeAttribute("title")]), makeEntity("Author", [makeAttribute("name")]))
        let full = try Self.library(Self.toOne("books"), Self.toMany("author"))
        let world = try world(none)
        try world.migrate(to: full)
        var counted = Self.toMany("author")
        (counted.minimumCount, counted.maximumCount, counted.isOptional) = (1, 9, false)
        try world.migrate(to: Self.library(Self.toOne("books"), counted))
        #expect(
            try world.refusal(of: none).contains(
                "removes the relationship author of Book, it removes the relationship books of Author"))
        try world.migrate(to: none) { $0.dropsValues = true }
        try world.migrate(to: full)
        let moved = try Self.library(makeRelationship("author", to: "Book"), nil)
        #expect(
            try world.refusal(of: moved) { $0.dropsValues = true }.contains(
                "Book.author changes its destination from Author to Book"))
    }

    @Test("Parents and children are added, and properties move along the hierarchy")
    func hierarchies() throws {
        let flat = try makeModel(
            makeEntity(
                "Car", [makeAttribute("name"), makeAttribute("doors", .integer32)],
                [makeRelationship("twin", to: "Car")]))
        let world = try MigrationWorld(flat) { context in
            let cars = try (1...2).map { _ in try context.insert(entity: "Car") }
            try context.obtainPermanentIDs(for: cars)
            for (number, car) in cars.enumerated() {
                car["name"] = FilterValue.string("car \(number)")
                car["doors"] = FilterValue.integer(Int64(number))
                car["twin"] = FilterValue.object(FilterReference(cars[1 - number].objectID))
            }
        }
        // A new parent takes the name; a new child has none of it.
        let deep = try makeModel(
            makeEntity("Vehicle", [makeAttribute("name")], isAbstract: true),
            makeEntity(
                "Car", parent: "Vehicle", [makeAttribute("doors", .integer32)], [makeRelationship("twin", to: "Car")]),
            makeEntity("Taxi", parent: "Car", [makeAttribute("sign")]))
        try world.migrate(to: deep)
        #expect(
            try world.rows("SELECT _entity, name, doors, twin FROM Vehicle") == [
                ["Car", "car 0", 0, 2], ["Car", "car 1", 1, 1],
            ])
        try world.run("UPDATE Vehicle SET _entity = 'Taxi', sign = 's' WHERE _pk = 2")
        // The doors move up to all vehicles, and the name down to cars, under another name.
        let moved = try makeModel(
            makeEntity("Vehicle", [makeAttribute("doors", .integer32)], isAbstract: true),
            makeEntity(
                "Car", parent: "Vehicle", [makeAttribute("label", was: "name")], [makeRelationship("twin", to: "Car")]),
            makeEntity("Taxi", parent: "Car", [makeAttribute("sign")]))
        try world.migrate(to: moved)
        #expect(
            try world.rows("SELECT _entity, label, doors, sign FROM Vehicle") == [
                ["Car", "car 0", 0, .null], ["Taxi", "car 1", 1, "s"],
            ])
        // Taxis leave the hierarchy, and the links to them would be lost.
        let out = try makeModel(
            makeEntity("Vehicle", [makeAttribute("doors", .integer32)], isAbstract: true),
            makeEntity("Car", parent: "Vehicle", [makeAttribute("label")], [makeRelationship("twin", to: "Car")]),
            makeEntity(
                "Taxi", [makeAttribute("label"), makeAttribute("doors", .integer32), makeAttribute("sign")],
                [makeRelationship("twin", to: "Car")]))
        #expect(
            try world.refusal(of: out).contains("1 links of Car.twin refer to objects that are no longer of Vehicle"))
        try world.run("UPDATE Vehicle SET twin = NULL WHERE _pk = 1")
        try world.migrate(to: out)
        #expect(try world.rows("SELECT _pk, label, doors, sign, twin FROM Taxi") == [[2, "car 1", 1, "s", 1]])
        #expect(try world.rows("SELECT _pk, _entity, label FROM Vehicle") == [[1, "Car", "car 0"]])
        // Back again: both have objects, so their IDs may be equal.
        #expect(
            try world.refusal(of: moved).contains(
                "Taxi would come into the hierarchy of Vehicle, and both have objects"))
        try world.run("DELETE FROM Vehicle")
        try world.migrate(to: moved)
        #expect(try world.rows("SELECT _pk, _entity, label, doors FROM Vehicle") == [[2, "Taxi", "car 1", 1]])
        #expect(try world.rows("SELECT * FROM _counter") == [["Vehicle", 2]])
        // An entity of a hierarchy is removed with its objects, and a hierarchy becomes a single entity.
        let single = try makeModel(
            makeEntity(
                "Car", [makeAttribute("label"), makeAttribute("doors", .integer32)],
                [makeRelationship("twin", to: "Car")]))
        #expect(try world.refusal(of: single).contains("it removes the entity Taxi"))
        try world.migrate(to: single) { $0.dropsValues = true }
        #expect(try world.rows("SELECT COUNT(*) FROM Car") == [[0]])
    }

    @Test("Siblings' columns that become one, and one that is divided")
    func siblings() throws {
        let apart = try makeModel(
            makeEntity("Shape", [makeAttribute("x")]),
            makeEntity("Circle", parent: "Shape", [makeAttribute("size", .integer32)]),
            makeEntity("Square", parent: "Shape", [makeAttribute("side", .integer32)]))
        let one = try makeModel(
            makeEntity("Shape", [makeAttribute("x"), makeAttribute("size", .integer32, default: .integer(5))]),
            makeEntity("Circle", parent: "Shape"),
            makeEntity("Square", parent: "Shape"))
        let world = try MigrationWorld(apart) { context in
            try context.insert(entity: "Shape")["x"] = FilterValue.string("x")
            try context.insert(entity: "Circle")["size"] = FilterValue.integer(1)
            try context.insert(entity: "Square")["side"] = FilterValue.integer(2)
        }
        #expect(try world.refusal(of: one).contains("removes the attribute side of Square"))
        try world.migrate(to: one) { $0.dropsValues = true }
        #expect(
            try world.rows("SELECT _entity, size FROM Shape ORDER BY 1") == [
                ["Circle", 1], ["Shape", 5], ["Square", 5],
            ])
        try world.migrate(to: apart) { $0.dropsValues = true }
        #expect(
            try world.rows("SELECT _entity, size, side FROM Shape ORDER BY 1") == [
                ["Circle", 1, .null], ["Shape", .null, .null], ["Square", .null, .null],
            ])
        // Two sets of siblings exchange their attributes in the columns of the table.
        let exchanged = try makeModel(
            makeEntity("Shape", [makeAttribute("x")]),
            makeEntity("Circle", parent: "Shape", [makeAttribute("side", .integer32, was: "size")]),
            makeEntity("Square", parent: "Shape", [makeAttribute("size", .integer32, was: "side")]))
        try world.run("UPDATE Shape SET side = 2 WHERE _entity = 'Square'")
        try world.migrate(to: exchanged)
        #expect(
            try world.rows("SELECT _entity, size, side FROM Shape ORDER BY 1") == [
                ["Circle", .null, 1], ["Shape", .null, .null], ["Square", 2, .null],
            ])
    }

    @Test("An entity with objects does not become abstract")
    func abstract() throws {
        let first = try makeModel(makeEntity("A", [makeAttribute("x")]), makeEntity("B", parent: "A"))
        let second = try makeModel(
            makeEntity("A", [makeAttribute("x")], isAbstract: true), makeEntity("B", parent: "A"))
        let world = try MigrationWorld(first) { try $0.insert(entity: "A")["x"] = FilterValue.string("x") }
        #expect(try world.refusal(of: second).contains("A becomes abstract, but has 1 objects of its own"))
        try world.run("DELETE FROM A")
        try world.migrate(to: second)
    }
}
