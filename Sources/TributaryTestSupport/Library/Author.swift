package import TributaryGraph

/// A person who writes books and may edit a series.
package final class Author: Person {
    @Attribute(.indexed, .renamed(from: "hometown")) package var city: String?
    @Relationship(inverse: \Book.author, onDelete: .cascade) package var books: ToMany<Book>
    @Relationship(inverse: \Series.editor) package var edits: Series?
}
