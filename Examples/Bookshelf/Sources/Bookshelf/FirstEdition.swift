import Tributary

/// The model of the first edition of this program, for databases that it has made.
enum FirstEdition {
    /// Books with a name, and their authors.
    static func model() throws -> Model {
        var (book, author) = (EntityDescription("Book"), EntityDescription("Author"))
        book.attributes = [
            AttributeDescription("isbn", .string), AttributeDescription("name", .string),
            AttributeDescription("year", .integer64),
        ]
        book.uniquenessConstraints = [["isbn"]]
        author.attributes = [AttributeDescription("name", .string)]
        author.uniquenessConstraints = [["name"]]
        for index in book.attributes.indices { book.attributes[index].isOptional = index > 0 }
        author.attributes[0].isOptional = false
        var one = RelationshipDescription("author", to: "Author")
        one.inverse = "books"
        var many = RelationshipDescription("books", to: "Book")
        (many.inverse, many.isToMany) = ("author", true)
        (book.relationships, author.relationships) = ([one], [many])
        return try Model(ModelDescription([book, author]))
    }

    /// Makes a database with one book.
    static func make(_ path: String) throws {
        let manager = try ContextManager(model: model(), store: .sqlite(path))
        try manager.writeAndWait { context in
            let (book, author) = (try context.insert(entity: "Book"), try context.insert(entity: "Author"))
            try book.setValue(.string("9780553283686"), forKey: "isbn")
            try book.setValue(.string("Hyperion"), forKey: "name")
            try author.setValue(.string("Dan Simmons"), forKey: "name")
            try book.setValue(.object(FilterReference(author.objectID)), forKey: "author")
        }
    }
}
