import Foundation
import TributaryGraph

/// Small models for the tests.
enum ModelSamples {
    /// The folder of the fixture models.
    static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Fixtures/models").path

    /// Items with shelves; books are items and have authors.
    static func library() -> ModelDescription {
        var item = EntityDescription("Item")
        item.isAbstract = true
        item.attributes = [AttributeDescription("id", .integer64)]
        item.relationships = [relationship("shelf", to: "Shelf", inverse: "items")]
        item.uniquenessConstraints = [["id"]]
        var book = EntityDescription("Book")
        book.parent = "Item"
        book.className = ".Book"
        book.attributes = [AttributeDescription("title", .string), AttributeDescription("isbn", .string)]
        book.attributes[1].isIndexed = true
        book.relationships = [relationship("author", to: "Author", inverse: "books")]
        book.indexes = [IndexDescription("byTitle", [.init("title"), .init("id", isAscending: false)])]
        var author = EntityDescription("Author")
        author.attributes = [AttributeDescription("name", .string)]
        author.relationships = [relationship("books", to: "Book", inverse: "author", many: true)]
        var shelf = EntityDescription("Shelf")
        shelf.relationships = [relationship("items", to: "Book", inverse: "shelf", many: true)]
        shelf.relationships[0].inverseEntity = "Item"
        // The parent comes after its subentity, because a model may list its entities in any order.
        return ModelDescription([book, item, author, shelf])
    }

    static func relationship(_ name: String, to: String, inverse: String?, many: Bool = false)
        -> RelationshipDescription
    {
        var relationship = RelationshipDescription(name, to: to)
        relationship.inverse = inverse
        relationship.isToMany = many
        return relationship
    }

    /// A model of one entity with these attributes.
    static func one(_ attributes: AttributeDescription...) -> ModelDescription {
        var entity = EntityDescription("E")
        entity.attributes = attributes
        return ModelDescription([entity])
    }

    /// The faults of a model, which are none if it is valid.
    static func faults(_ model: ModelDescription) -> [String] {
        do {
            _ = try Model(model)
            return []
        } catch { return (error as? ModelError)?.faults ?? ["\(error)"] }
    }
}
