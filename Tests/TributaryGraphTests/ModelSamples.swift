import Foundation
import TributaryGraph

/// Small models for the tests.
enum ModelSamples {
    static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Fixtures/models").path

    /// Items with shelves; books are items and have authors.
    static func library() -> ModelDescription {
        let item = makeEntity(
            "Item", [makeAttribute("id", .integer64)], [makeRelationship("shelf", to: "Shelf", inverse: "items")],
            isAbstract: true, unique: [["id"]])
        var book = makeEntity(
            "Book", parent: "Item", [makeAttribute("title"), makeAttribute("isbn")],
            [makeRelationship("author", to: "Author", inverse: "books")])
        book.className = ".Book"
        book.attributes[1].isIndexed = true
        book.indexes = [IndexDescription("byTitle", [.init("title"), .init("id", isAscending: false)])]
        let author = makeEntity(
            "Author", [makeAttribute("name")],
            [makeRelationship("books", to: "Book", inverse: "author", isToMany: true)])
        var items = makeRelationship("items", to: "Book", inverse: "shelf", isToMany: true)
        items.inverseEntity = "Item"
        let shelf = makeEntity("Shelf", [], [items])
        // The parent comes after its subentity, because a model may list its entities in any order.
        return ModelDescription([book, item, author, shelf])
    }

    static func one(_ attributes: AttributeDescription...) -> ModelDescription {
        ModelDescription([makeEntity("E", attributes)])
    }

    /// The faults of a model, which are none if it is valid.
    static func faults(_ model: ModelDescription) -> [String] {
        do {
            _ = try Model(model)
            return []
        } catch { return (error as? ModelError)?.faults ?? ["\(error)"] }
    }
}
