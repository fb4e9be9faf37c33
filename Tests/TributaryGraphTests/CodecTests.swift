import Foundation
import Testing
import TributaryGraph
import TributarySQLite
import TributaryTestSupport

/// Attribute values that are written to rows and read back.
@MainActor @Suite struct CodecTests {
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

    /// The values of a book, which can be sent between contexts.
    private struct Values: Sendable, Equatable {
        let texts: [[UInt8]]
        let numbers: [Double?]
        let price: Decimal?
        let published: Date?
        let cover: Data?
        let key: UUID?

        init(_ book: Book) {
            texts = [Array(book.isbn.utf8), Array((book.home?.absoluteString ?? "").utf8)]
            numbers = [book.weight, book.scale.map(Double.init), book.pages.map(Double.init)]
            (price, published, cover, key) = (book.price, book.published, book.cover, book.key)
        }
    }

    @Test("Saved values read back unchanged after inserts and updates")
    func rowsComeBack() throws {
        var generator = SeededGenerator.fresh()
        let library = try Library()
        let books = (0..<500).map { _ in randomBook(library, &generator) }
        try library.context.save()
        // Change every second book, so that updated rows are compared too.
        for index in stride(from: 0, to: books.count, by: 2) {
            let other = randomBook(library, &generator)
            (books[index].isbn, books[index].price, books[index].cover) = (other.isbn + "'", other.price, other.cover)
            library.context.delete(other)
        }
        try library.context.save()
        let ids = books.map(\.objectID)
        let reading = library.manager.newPrivateContext()
        let copies = try reading.performAndWait { context in
            try ids.map { id in
                let book = try context.existingObject(Book.self, with: id)
                return Values(book)
            }
        }
        for (index, copy) in copies.enumerated() {
            #expect(copy == Values(books[index]), "seed \(generator.seed), book \(index)")
            #expect(books[index].version == (index % 2 == 0 ? 2 : 1))
        }
    }

    @Test("A row of a subentity stores its entity name")
    func subentitiesSayWhatTheyAre() throws {
        let library = try Library()
        let reader: Reader = library.make()
        reader.id = 7
        try library.context.save()
        let rows = try library.manager.stores.stores[0].read {
            try $0.rows(of: "SELECT \"_pk\", \"_entity\", \"id\", \"age\", \"isActive\" FROM \"Person\"")
        }
        #expect(rows == [[1, "Reader", 7, 18, 1]])
    }

    @Test("A stored value of the wrong type is reported as damage, not read as zero")
    func whatOtherProgramsHaveWrittenIsNoZero() throws {
        let library = try Library()
        let store = library.manager.stores.stores[0]
        for (column, value) in [
            ("pages", "x"), ("price", "twelve"), ("price", "1x"), ("key", "nope"), ("isbn", .blob([1])),
        ] as [(String, SQLValue)] {
            try store.write {
                try $0.execute("DELETE FROM \"Book\"")
                try $0.execute("INSERT INTO \"Book\" (\(identifier: column)) VALUES (\(value))")
            }
            let error = #expect(throws: StoreError.self) { try Book.all(in: library.context) }
            #expect(error?.code == .damaged && error?.reason.hasPrefix("Book.\(column) holds ") == true)
        }
        // An integer in a floating-point column is valid, and so is a decimal with trailing zeros.
        try store.write {
            try $0.execute("DELETE FROM \"Book\"")
            try $0.execute("INSERT INTO \"Book\" (weight, price) VALUES (3, '1.50')")
        }
        let book = try #require(try Book.first(in: library.context))
        #expect(book.weight == 3 && book.price == Decimal(string: "1.5"))
    }
}
