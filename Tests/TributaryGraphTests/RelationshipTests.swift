import Testing
import TributaryGraph
import TributaryTestSupport

/// Both sides of a relationship agree, whichever is set.
@MainActor @Suite struct RelationshipTests {
    @Test("Both sides of a one-to-many relationship agree after each change")
    func oneToMany() throws {
        let library = try Library()
        let (one, other): (Author, Author) = (library.make(), library.make())
        let books: [Book] = (0..<20).map { _ in library.make() }
        for book in books { one.books.insert(book) }
        #expect(one.books.count == 20 && books.allSatisfy { $0.author === one })
        books[3].author = other
        #expect(one.books.count == 19 && !one.books.contains(books[3]) && Array(other.books) == [books[3]])
        other.books.insert(books[4])
        #expect(books[4].author === other && one.books.count == 18)
        one.books = [books[0], books[4]]
        #expect(books[1].author == nil && Set(one.books) == [books[0], books[4]] && other.books.count == 1)
        one.books.removeAll()
        #expect(books[0].author == nil && one.books.isEmpty)
        one.books.remove(books[3])
        #expect(books[3].author === other)
    }

    @Test("Setting a one-to-one relationship clears the old partners of both sides")
    func oneToOneStealsTheOldPartner() throws {
        let library = try Library()
        let (one, other): (Author, Author) = (library.make(), library.make())
        let (first, second): (Series, Series) = (library.make(), library.make())
        one.edits = first
        other.edits = second
        first.editor = other
        #expect(one.edits == nil && other.edits === first && second.editor == nil)
        other.edits = nil
        #expect(first.editor == nil)
    }

    @Test("A relationship that is its own inverse is updated on both sides")
    func symmetric() throws {
        let library = try Library()
        let (one, other): (Author, Reader) = (library.make(), library.make())
        one.friends.insert(other)
        #expect(other.friends.contains(one))
        one.friends.insert(one)
        #expect(one.friends.count == 2)
        other.friends.remove(one)
        #expect(Array(one.friends) == [one])
    }

    @Test("An ordered relationship keeps the order in which it was set")
    func orderIsKept() throws {
        let library = try Library()
        let series: Series = library.make()
        let books: [Book] = (0..<30).map { _ in library.make() }
        series.books = OrderedToMany(books)
        #expect(Array(series.books) == books && books.allSatisfy { $0.series === series })
        series.books.remove(books[5])
        series.books.insert(books[29], at: 0)
        #expect(series.books.count == 29 && series.books[0] === books[29] && series.books[6] === books[6])
        series.books.append(books[5])
        #expect(series.books.last === books[5])
        series.books = OrderedToMany(books.reversed())
        #expect(Array(series.books) == books.reversed())
        books[0].series = nil
        #expect(series.books.count == 29)
    }

    @Test("Random changes of relationships match a simple table of references")
    func agreesWithATable() throws {
        var generator = SeededGenerator.fresh()
        let library = try Library()
        let authors: [Author] = (0..<6).map { _ in library.make() }
        let books: [Book] = (0..<25).map { _ in library.make() }
        let series: [Series] = (0..<4).map { _ in library.make() }
        var author: [Int: Int] = [:]
        var member: [Int: Int] = [:]
        var order: [[Int]] = Array(repeating: [], count: series.count)
        for step in 0..<10_000 {
            let book = Int.random(in: 0..<books.count, using: &generator)
            let writer = Int.random(in: 0..<authors.count, using: &generator)
            let place = Int.random(in: 0..<series.count, using: &generator)
            switch Int.random(in: 0..<8, using: &generator) {
            case 0:
                books[book].author = authors[writer]
                author[book] = writer
            case 1:
                authors[writer].books.insert(books[book])
                author[book] = writer
            case 2:
                books[book].author = nil
                author[book] = nil
            case 3:
                authors[writer].books.remove(books[book])
                if author[book] == writer { author[book] = nil }
            case 4:
                let chosen = books.indices.filter { _ in Int.random(in: 0..<4, using: &generator) == 0 }
                authors[writer].books = ToMany(chosen.map { books[$0] })
                for book in books.indices where author[book] == writer { author[book] = nil }
                for book in chosen { author[book] = writer }
            case 5:
                series[place].books.append(books[book])
                if member[book] != place {
                    if let old = member[book] { order[old].removeAll { $0 == book } }
                    order[place].append(book)
                    member[book] = place
                }
            case 6:
                books[book].series = nil
                if let old = member[book] { order[old].removeAll { $0 == book } }
                member[book] = nil
            default:
                let chosen = books.indices.filter { _ in Int.random(in: 0..<5, using: &generator) == 0 }
                    .shuffled(using: &generator)
                series[place].books = OrderedToMany(chosen.map { books[$0] })
                for book in order[place] { member[book] = nil }
                for book in chosen {
                    if let old = member[book] { order[old].removeAll { $0 == book } }
                    member[book] = place
                }
                order[place] = chosen
            }
            let agrees =
                books.indices.allSatisfy { book in
                    books[book].author === author[book].map { authors[$0] }
                        && books[book].series === member[book].map { series[$0] }
                }
                && authors.indices.allSatisfy { writer in
                    Set(authors[writer].books) == Set(author.filter { $0.value == writer }.map { books[$0.key] })
                }
                && series.indices.allSatisfy { place in Array(series[place].books) == order[place].map { books[$0] } }
            guard agrees else {
                Issue.record("step \(step), seed \(generator.seed)")
                return
            }
        }
    }
}
