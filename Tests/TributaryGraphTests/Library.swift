import Foundation
import TributaryGraph

/// The domain of the tests of objects: people who write, books, series in order, friends.
class Person: ManagedObject {
    @Attribute(.unique) var id: Int
    @Attribute var name: String?
    @Attribute var isActive: Bool = true
    @Relationship(inverse: .itself) var friends: ToMany<Person>
    override class var isAbstractEntity: Bool { self == Person.self }
}

final class Author: Person {
    @Attribute(.indexed, .renamed(from: "hometown")) var city: String?
    @Relationship(inverse: \Book.author, onDelete: .cascade) var books: ToMany<Book>
    @Relationship(inverse: \Series.editor) var edits: Series?
}

final class Reader: Person {
    @Attribute(.range(0...150)) var age: Int32 = 18
}

final class Book: ManagedObject {
    @Attribute(.unique) var isbn: String
    @Attribute var published: Date?
    @Attribute var price: Decimal?
    @Attribute var weight: Double?
    @Attribute var scale: Float?
    @Attribute var pages: Int16?
    @Attribute var cover: Data?
    @Attribute var key: UUID?
    @Attribute var home: URL?
    @Relationship var author: Author?
    @Relationship(inverse: \Series.books) var series: Series?
}

final class Series: ManagedObject {
    @Attribute var title: String = "untitled"
    @Relationship var books: OrderedToMany<Book>
    @Relationship var editor: Author?
}

/// The model of the domain, and its classes.
struct Library {
    let model: Model
    private let classes: ModelClasses

    init() throws {
        let types: [ManagedObject.Type] = [Author.self, Reader.self, Book.self, Series.self]
        model = try Model(ModelDescription(of: Author.self, Reader.self, Book.self, Series.self))
        classes = try ModelClasses(types, of: model)
    }

    func make<Object: ManagedObject>(_ type: Object.Type = Object.self) -> Object {
        guard let entity = model[type.entityName], let object = classes.make(entity) as? Object else {
            preconditionFailure("\(type) is no class of the library")
        }
        return object
    }
}
