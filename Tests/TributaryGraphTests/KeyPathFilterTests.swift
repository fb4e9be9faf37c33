import Foundation
import Testing
import TributaryGraph
import TributaryTestSupport

extension Book {
    fileprivate var shout: String { isbn.uppercased() }
    fileprivate var pagesOrNone: Int16 { pages ?? 0 }
    fileprivate var cheapest: Decimal? { price.map { min($0, 1) } }
    fileprivate var twoThings: String { isbn + (author?.name ?? "") }
    fileprivate var constant: Int { 7 }
    fileprivate var writer: Author? { author }
}

/// An attribute type of the user's own, which reads a row without a valid value as `dark`.
private enum Shade: String, AttributeValue {
    case dark, light
    static var attributeType: AttributeType { .string }
    static func read(_ row: Row, _ slot: Int) -> Shade { Shade(rawValue: String.read(row, slot)) ?? .dark }
    func write(_ row: Row, _ slot: Int) { rawValue.write(row, slot) }
    func isEqual(_ row: Row, _ slot: Int) -> Bool { rawValue.isEqual(row, slot) }
}

/// A model of its own for key paths to attributes of the type `Shade`.
private final class Lamp: ManagedObject {
    @Attribute var first: Shade
    @Attribute var second: Shade
    @Attribute var third: Shade?
    @Attribute var isOn: Bool
    @Attribute var isNew: Bool
    @Relationship var next: Lamp?
    @Relationship var others: OrderedToMany<Lamp>
    var isOff: Bool { !isOn }
}

/// Filters that are made of key paths.
@MainActor @Suite struct KeyPathFilterTests {
    /// Filters of key paths, each with an equivalent format and its arguments.
    private static func pairs() throws -> [(Filter, String, [any FilterArgument])] {
        let date = Date(timeIntervalSince1970: 0.1)
        let (key, url) = (UUID(), try #require(URL(string: "https://example.org")))
        return [
            (\Book.isbn == "x'\"%@", "isbn == %@", ["x'\"%@"]), (\Book.pages != 3, "pages != 3", []),
            (\Book.pages == nil, "pages == nil", []), ((\Book.pages).isNil, "pages == nil", []),
            (\Book.weight < 1.5, "weight < 1.5", []), (\Book.scale <= 0.1, "scale <= %@", [Float(0.1)]),
            (\Book.price > 3, "price > %@", [Decimal(3)]), (\Book.published >= date, "published >= %@", [date]),
            (\Book.cover == Data([1]), "cover == %@", [Data([1])]), (\Book.key == key, "key == %@", [key]),
            (\Book.home == url, "home == %@", [url]), (\Author.isActive == true, "isActive == TRUE", []),
            // Inherited, and through relationships.
            (\Author.id == 7, "id == 7", []), (\Author.city != nil, "city != nil", []),
            (\Book.author?.name == "Ada", "author.name == 'Ada'", []), (\Book.author!.id >= 3, "author.id >= 3", []),
            (\Book.series?.editor?.city == nil, "series.editor.city == nil", []),
            (\Author.edits?.editor?.edits?.title == "x", "edits.editor.edits.title == 'x'", []),
            (\Book.author?.isActive == false, "author.isActive == FALSE", []),
            // Two key paths.
            (\Book.isbn == \Book.author?.name, "isbn == author.name", []),
            (\Book.weight < \Book.weight, "weight < weight", []), (\Author.id != \Author.id, "id != id", []),
            (\Book.author == nil, "author == nil", []), (\Book.series?.editor != nil, "series.editor != nil", []),
            (\Book.author == \Book.series?.editor, "author == series.editor", []),
            (\Book.author != \Book.series?.editor, "author != series.editor", []),
            ((\Book.author).isNil, "author == nil", []), (\Book.writer == nil, "author == nil", []),
            // Text.
            ((\Book.isbn).equals("x", options: .caseInsensitive), "isbn ==[c] 'x'", []),
            (
                (\Author.name).contains("x", options: [.caseInsensitive, .diacriticInsensitive]),
                "name CONTAINS[cd] 'x'", []
            ),
            ((\Author.name).hasPrefix("x"), "name BEGINSWITH 'x'", []),
            ((\Book.author?.name).hasSuffix("x"), "author.name ENDSWITH 'x'", []),
            ((\Author.name).like("a*?"), "name LIKE 'a*?'", []),
            (
                (\Author.name).matches(regularExpression: "[a-z]+", options: .caseInsensitive),
                "name MATCHES[c] '[a-z]+'", []
            ),
            // Membership.
            ((\Author.name).isIn(["a", "b"]), "name IN {'a', 'b'}", []), ((\Author.id).isIn([]), "id IN {}", []),
            ((\Author.name).isIn(Set(["a"]), options: .caseInsensitive), "name IN[c] {'a'}", []),
            ((\Author.id).isIn(1...3), "id IN {1, 2, 3}", []),
            ((\Book.pages).isBetween(1...9), "pages BETWEEN {1, 9}", []),
            // To-many relationships.
            ((\Author.books).count > 3, "books.@count > 3", []),
            ((\Book.author?.books).count == 0, "author.books.@count == 0", []),
            ((\Series.books).any(\Book.price > 3), "SUBQUERY(books, $x, $x.price > %@).@count > 0", [Decimal(3)]),
            ((\Author.books).all(\Book.pages > 3), "SUBQUERY(books, $x, NOT $x.pages > 3).@count == 0", []),
            ((\Author.books).none(\Book.pages > 3), "SUBQUERY(books, $x, $x.pages > 3).@count == 0", []),
            (
                (\Author.books).count(where: "pages > $x") > (\Author.books).count,
                "SUBQUERY(books, $y, $y.pages > $x).@count > books.@count", []
            ),
            (
                (\Author.books).any((\Book.author?.friends).any("SELF == $a || name == nil")),
                "SUBQUERY(books, $y, SUBQUERY($y.author.friends, $x, $x == $a || $x.name == nil).@count > 0).@count > 0",
                []
            ),
            // Combined conditions.
            (
                \Author.id > 3 && (\Author.name == nil || !(\Author.city == "x")),
                "id > 3 && (name == nil || NOT city == 'x')", []
            ),
        ]
    }

    @Test("A filter of key paths equals the filter parsed from its text")
    func filtersAreThoseOfTheirText() throws {
        for (filter, text, arguments) in try Self.pairs() {
            #expect(filter == (try Filter(format: text, arguments: arguments)), "\(filter) is not \(text)")
        }
    }

    @Test("Attributes of custom types can be used in key path filters")
    func typesOfYourOwn() throws {
        let pairs: [(Filter, String)] = [
            (\Lamp.first == .light, "first == 'light'"), (\Lamp.second != .dark, "second != 'dark'"),
            (\Lamp.third == nil, "third == nil"), ((\Lamp.next?.third).isIn([.dark]), "next.third IN {'dark'}"),
            (\Lamp.isOn == true, "isOn == TRUE"), (\Lamp.next?.next?.isNew == true, "next.next.isNew == TRUE"),
            (
                (\Lamp.next?.others).any(\Lamp.first == \Lamp.second),
                "SUBQUERY(next.others, $x, $x.first == $x.second).@count > 0"
            ),
        ]
        for (filter, text) in pairs { #expect(filter == (try Filter(format: text)), "\(filter) is not \(text)") }
    }

    @Test("Key paths give the same sort keys and expressions as their names")
    func ordersAndExpressions() throws {
        #expect(SortKey(\Book.isbn) == SortKey("isbn"))
        #expect(
            SortKey(\Book.author?.name, ascending: false, options: .caseInsensitive)
                == SortKey("author.name", ascending: false, options: .caseInsensitive))
        #expect(FilterExpression(\Book.author?.name) == .keyPath(["author", "name"]))
        #expect(FilterExpression(\Author.books) == .keyPath(["books"]))
        // The names of a key path are cached, and must be the same on each use.
        for _ in 0..<3 { #expect(FilterExpression(\Book.series?.editor) == .keyPath(["series", "editor"])) }
    }

    @Test("A filter of key paths matches subjects in memory")
    func filtersAreTrueForSubjects() throws {
        let cheap = FilterItem("cheap", ["isbn": "a", "pages": 1])
        let dear = FilterItem("dear", ["isbn": "B", "pages": 9])
        let ada = FilterItem("ada", ["name": "Ada", "id": 1], many: ["books": [cheap, dear]])
        let bob = FilterItem("bob", ["name": .null, "id": 2], many: ["books": []])
        let authors = [ada, bob]
        func found(_ filter: Filter) throws -> [String] { try filter.filtering(authors).map(\.id) }
        #expect(try found(\Author.name == "Ada") == ["ada"])
        #expect(try found(\Author.name != "Ada") == ["bob"])
        #expect(try found((\Author.books).any(\Book.pages > 3)) == ["ada"])
        #expect(try found((\Author.books).all(\Book.pages > 3)) == ["bob"])
        #expect(try found((\Author.books).none(\Book.pages > 30)) == ["ada", "bob"])
        #expect(try found((\Author.books).all(\Book.pages > 0)) == ["ada", "bob"])
        #expect(try found((\Author.books).any((\Book.isbn).contains("b", options: .caseInsensitive))) == ["ada"])
        #expect(try found((\Author.books).count == 2 && (\Author.books).count(where: \Book.pages < 3) == 1) == ["ada"])
        #expect(try found((\Author.id).isBetween(2...3)) == ["bob"])
    }

    @Test("A key path to a computed value that is not a modeled property traps")
    func whatIsNoPropertyTraps() async {
        await #expect(processExitsWith: .failure) { _ = \Book.shout == "X" }
        await #expect(processExitsWith: .failure) { _ = \Book.pagesOrNone == 0 }
        await #expect(processExitsWith: .failure) { _ = \Book.cheapest == 0 }
        await #expect(processExitsWith: .failure) { _ = \Book.twoThings == "x" }
        await #expect(processExitsWith: .failure) { _ = \Book.constant == 7 }
        await #expect(processExitsWith: .failure) { _ = \Lamp.isOff == true }
        await #expect(processExitsWith: .failure) { _ = (\Book.author?.name?.count) == 3 }
    }

    /// Key paths are resolved by reading a probe object, which must not affect real objects.
    @Test("Resolving a key path does not change what objects read")
    func objectsReadAsBefore() throws {
        let library = try Library()
        let book: Book = library.make()
        #expect(book.isbn.isEmpty && book.pages == nil && book.author == nil)
        #expect(FilterExpression(\Book.isbn) == .keyPath(["isbn"]))
        #expect(book.isbn.isEmpty && book.pages == nil && book.author == nil)
        let author: Author = library.make()
        book.author = author
        #expect(FilterExpression(\Book.author) == .keyPath(["author"]))
        #expect(book.author === author && author.books.count == 1)
    }
}
