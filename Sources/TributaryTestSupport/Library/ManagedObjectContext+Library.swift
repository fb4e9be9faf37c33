package import TributaryGraph

extension ManagedObjectContext {
    /// Inserts an author, whose `id` is required.
    @discardableResult
    package func author(_ id: Int, _ name: String? = nil) -> Author {
        let author = insert(Author.self)
        author.id = id
        author.name = name
        return author
    }

    /// Inserts a book, whose `isbn` is required.
    @discardableResult
    package func book(_ isbn: String, by author: Author? = nil) -> Book {
        let book = insert(Book.self)
        book.isbn = isbn
        book.author = author
        return book
    }
}
