package import TributaryGraph

/// A series of books in their order.
package final class Series: ManagedObject {
    @Attribute package var title: String = "untitled"
    @Relationship package var books: OrderedToMany<Book>
    @Relationship package var editor: Author?
}
