import Foundation
import Testing
import TributaryGraph
import TributarySQLite
import TributaryTestSupport

/// What is written comes back, value by value.
@Suite struct CodecTests {
    private func randomBook(_ library: Library, _ generator: inout SeededGenerator) -> Book {
        let book: Book = library.make()
        let texts = [
            "", "a", "é", "e\u{301}", "😀 text longer than fifteen bytes", "a\u{0}b", "'; DROP TABLE \"Book\"; --",
        ]
        book.isbn = generator.pick(texts) + "#\(generator.next())"
        if !generator.once(in: 4) { book.published = Date(timeIntervalSince1970: Double(generator.below(1 << 40)) / 7) }
        if !generator.once(in: 4) { book.price = Decimal(generator.below(1 << 50)) / 1000 }
        if !generator.once(in: 4) {
            book.weight = generator.pick([0, -0.0, 1e300, .infinity, -.infinity, .leastNonzeroMagnitude, 3])
        }
        if !generator.once(in: 4) { book.scale = generator.pick([0.1, -7, .greatestFiniteMagnitude]) }
        if !generator.once(in: 4) { book.pages = Int16(truncatingIfNeeded: generator.below(1 << 20)) }
        if !generator.once(in: 4) { book.cover = Data((0..<generator.below(50)).map { UInt8($0) }) }
        if !generator.once(in: 4) { book.key = UUID() }
        if !generator.once(in: 4) { book.home = URL(string: "https://example.org/\(generator.below(1000))?q=%20") }
        return book
    }

    private func equal(_ one: Book, _ other: Book) -> Bool {
        one.isbn.unicodeScalars.elementsEqual(other.isbn.unicodeScalars) && one.published == other.published
            && one.price == other.price && one.weight == other.weight && one.scale == other.scale
            && one.pages == other.pages && one.cover == other.cover && one.key == other.key && one.home == other.home
    }

    @Test func rowsComeBack() throws {
        var generator = SeededGenerator.fresh()
        let library = try Library()
        let store = try SQLiteStore(library.model, at: .memory)
        let entity = try #require(library.model["Book"])
        let codec = EntityCodec(entity, in: store.schema)
        let books = (0..<500).map { _ in randomBook(library, &generator) }
        try store.write { connection in
            let statement = try connection.prepare(codec.insertion)
            try connection.transaction {
                for (index, book) in books.enumerated() {
                    try codec.insert(book, key: Int64(index + 1), through: statement) { _ in 0 }
                }
            }
        }
        // Every second one changes.
        for index in stride(from: 0, to: books.count, by: 2) {
            let other = randomBook(library, &generator)
            (books[index].isbn, books[index].price, books[index].cover) = (other.isbn, other.price, other.cover)
        }
        try store.write { connection in
            let statement = try connection.prepare(codec.update)
            try connection.transaction {
                for index in stride(from: 0, to: books.count, by: 2) {
                    let key = Int64(index + 1)
                    let isWritten = try codec.update(
                        books[index], key: key, version: 1, on: connection, through: statement
                    ) { _ in 0 }
                    // Its version has changed with that.
                    let isWrittenAgain = try codec.update(
                        books[index], key: key, version: 1, on: connection, through: statement
                    ) { _ in 0 }
                    #expect(isWritten && !isWrittenAgain)
                }
            }
        }
        try store.read { connection in
            let query = SQLFragment(stringLiteral: "SELECT \(codec.selection) FROM \"Book\" ORDER BY \"_pk\"")
            var index = 0
            try connection.forEachRow(of: query) { row in
                let book: Book = library.make()
                try codec.fill(book, from: row, store: store.name)
                #expect(equal(book, books[index]), "seed \(generator.seed), book \(index)")
                #expect(row.integer(at: 1) == (index % 2 == 0 ? 2 : 1))
                index += 1
            }
            #expect(index == books.count)
        }
    }

    @Test func subentitiesSayWhatTheyAre() throws {
        let library = try Library()
        let store = try SQLiteStore(library.model, at: .memory)
        let reader: Reader = library.make()
        reader.id = 7
        let codec = EntityCodec(reader.entity, in: store.schema)
        try store.write { connection in
            try codec.insert(reader, key: 1, through: try connection.prepare(codec.insertion)) { _ in 0 }
        }
        let rows = try store.read {
            try $0.rows(of: "SELECT \"_pk\", \"_entity\", \"id\", \"age\", \"isActive\" FROM \"Person\"")
        }
        #expect(rows == [[1, "Reader", 7, 18, 1]])
    }

    @Test func whatOtherProgramsHaveWrittenIsNoZero() throws {
        let library = try Library()
        let store = try SQLiteStore(library.model, at: .memory)
        let codec = EntityCodec(try #require(library.model["Book"]), in: store.schema)
        let query = SQLFragment(stringLiteral: "SELECT \(codec.selection) FROM \"Book\"")
        for (column, value) in [
            ("pages", "x"), ("price", "twelve"), ("price", "1x"), ("key", "nope"), ("isbn", .blob([1])),
        ] as [(String, SQLValue)] {
            try store.write {
                try $0.execute("DELETE FROM \"Book\"")
                try $0.execute("INSERT INTO \"Book\" (\(identifier: column)) VALUES (\(value))")
            }
            let error = #expect(throws: StoreError.self) {
                try store.read {
                    try $0.forEachRow(of: query) { try codec.fill(library.make(Book.self), from: $0, store: "s") }
                }
            }
            #expect(error?.code == .damaged && error?.reason.hasPrefix("Book.\(column) holds ") == true)
        }
        // A whole number where a fraction could be is one.
        try store.write {
            try $0.execute("DELETE FROM \"Book\"")
            try $0.execute("INSERT INTO \"Book\" (weight, price) VALUES (3, '1.50')")
        }
        let book: Book = library.make()
        try store.read { try $0.forEachRow(of: query) { try codec.fill(book, from: $0, store: "s") } }
        #expect(book.weight == 3 && book.price == Decimal(string: "1.5"))
    }
}
