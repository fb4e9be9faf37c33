import Foundation
import Testing
import TributaryGraph
import TributaryTestSupport

/// Classes that describe entities, and properties that hold values.
@MainActor @Suite struct ObjectTests {
    @Test("Classes and their properties are described as entities")
    func classesAreEntities() throws {
        let declaration = try ModelDescription(of: Author.self, Reader.self, Book.self, Series.self)
        #expect(declaration.entities.map(\.name) == ["Person", "Author", "Reader", "Book", "Series"])
        let person = declaration.entities[0]
        #expect(person.isAbstract && person.parent == nil)
        #expect(person.attributes.map(\.name) == ["id", "name", "isActive"])
        #expect(person.attributes.map(\.isOptional) == [false, true, false])
        #expect(person.attributes[2].defaultValue == .boolean(true) && person.attributes[0].type == .integer64)
        #expect(person.uniquenessConstraints == [["id"]])
        #expect(person.relationships.map(\.inverse) == ["friends"])
        let author = declaration.entities[1]
        #expect(author.parent == "Person" && !author.isAbstract && author.attributes.map(\.name) == ["city"])
        #expect(author.attributes[0].isIndexed && author.attributes[0].renamingIdentifier == "hometown")
        #expect(author.relationships.map(\.destination) == ["Book", "Series"])
        #expect(author.relationships.map(\.deleteRule) == [.cascade, .nullify])
        let book = declaration.entities[3]
        #expect(
            book.relationships.map(\.inverse) == ["books", "books"] && book.relationships.allSatisfy { !$0.isToMany })
        #expect(
            book.attributes.map(\.type).dropFirst() == [
                .date, .decimal, .double, .float, .integer16, .binary, .uuid, .uri,
            ])
        let series = declaration.entities[4]
        #expect(series.relationships.map(\.inverse) == ["series", "edits"] && series.relationships[0].isOrdered)
        let reader = declaration.entities[2].attributes[0]
        #expect(reader.minimum == .integer(0) && reader.maximum == .integer(150) && reader.defaultValue == .integer(18))
    }

    @Test("A property returns the value that was set, except that NaN becomes nil")
    func valuesComeBackAsTheyWent() throws {
        let library = try Library()
        let book: Book = library.make()
        #expect(book.isbn.isEmpty && book.published == nil && book.price == nil && book.entity.name == "Book")
        for round in 0..<3 {
            let date = Date(timeIntervalSince1970: Double(round) * 1.5)
            let (key, home) = (UUID(), try #require(URL(string: "https://example.org/\(round)")))
            book.isbn = "isbn \(round) with more than fifteen bytes\u{0}"
            book.published = date
            book.price = Decimal(string: "12345678901234567890.12345")
            book.weight = .infinity
            book.scale = 0.25
            book.pages = -7
            book.cover = Data((0..<100).map { UInt8($0) })
            book.key = key
            book.home = home
            #expect(book.isbn == "isbn \(round) with more than fifteen bytes\u{0}" && book.published == date)
            #expect(book.price == Decimal(string: "12345678901234567890.12345") && book.weight == .infinity)
            #expect(book.scale == 0.25 && book.pages == -7 && book.cover?.count == 100)
            #expect(book.key == key && book.home == home)
        }
        book.weight = .nan
        #expect(book.weight == nil)
        (book.published, book.price, book.cover, book.key, book.home) = (nil, nil, nil, nil, nil)
        #expect(book.published == nil && book.price == nil && book.cover == nil && book.key == nil && book.home == nil)
    }

    @Test("Inherited properties and defaults work through class and superclass")
    func inheritedPropertiesAndDefaults() throws {
        let library = try Library()
        let author: Author = library.make()
        let reader: Reader = library.make()
        #expect(author.isActive && reader.isActive && reader.age == 18)
        author.id = 1
        author.name = "Ada"
        author.city = "London"
        reader.id = 2
        reader.name = "Bob"
        reader.age = 20
        // The same property seen through the superclass.
        let people: [Person] = [author, reader]
        #expect(people.map(\.id) == [1, 2] && people.map(\.name) == ["Ada", "Bob"])
        #expect(author.city == "London" && reader.age == 20)
        let series: Series = library.make()
        #expect(series.title == "untitled")
    }

    @Test("Setting a canonically equivalent text replaces the scalars")
    func textsThatOnlyLookAlikeAreTwo() throws {
        let book: Book = try Library().make()
        book.isbn = "e\u{301}"
        book.isbn = "\u{E9}"
        #expect(book.isbn.unicodeScalars.count == 1)
    }

    @Test("Classes and destinations that are not in the model are refused")
    func classesThatDoNotFitAreNamed() throws {
        let model = try Model(ModelDescription(of: Series.self, Author.self, Book.self))
        let error = #expect(throws: ModelError.self) {
            try ContextManager(model: model, classes: [Reader.self], store: .memory)
        }
        #expect(error?.faults == ["the class Reader names the entity Reader, which the model does not have"])
        #expect(throws: ModelError.self) { try ModelDescription(of: Book.self) }
    }
}
