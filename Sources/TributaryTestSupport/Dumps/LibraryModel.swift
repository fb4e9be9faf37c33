public import TributaryGraph

/// A model with each kind of relationship.
///
///     Author 1—n Book n—n Tag     Book 1—n Review (ordered, no key)     Book 1—1 Book (sequel, prequel)
///     Book n—1 Publisher (no inverse)     Author n—1 Author (mentor, pupils)     Book n—n Book (similar, symmetric)
public enum LibraryModel {
    /// The entities.
    public static var entities: [EntityDescription] {
        [
            entity(
                "Author", key: AttributeDescription("id", .integer64), [AttributeDescription("name", .string)],
                [
                    many("books", "Book", inverse: "author"), one("mentor", "Author", inverse: "pupils"),
                    many("pupils", "Author", inverse: "mentor"),
                ]),
            entity(
                "Book", key: AttributeDescription("isbn", .string), [AttributeDescription("title", .string)],
                [
                    one("author", "Author", inverse: "books"), one("publisher", "Publisher"),
                    many("tags", "Tag", inverse: "books", isOrdered: true),
                    many("reviews", "Review", inverse: "book", isOrdered: true) { $0.deleteRule = .cascade },
                    one("sequel", "Book", inverse: "prequel"), one("prequel", "Book", inverse: "sequel"),
                    many("similar", "Book", inverse: "similar"),
                ]),
            entity(
                "Tag", key: AttributeDescription("name", .string), [AttributeDescription("color", .string)],
                [
                    many("books", "Book", inverse: "tags")
                ]),
            entity(
                "Publisher", key: AttributeDescription("code", .integer32), [AttributeDescription("city", .string)], []),
            entity(
                "Review", key: nil, [AttributeDescription("stars", .integer16), AttributeDescription("text", .string)],
                [
                    one("book", "Book", inverse: "reviews") { $0.isOptional = false }
                ]),
        ]
    }

    private static func entity(
        _ name: String, key: AttributeDescription?, _ attributes: [AttributeDescription],
        _ relationships: [RelationshipDescription]
    ) -> EntityDescription {
        var entity = EntityDescription(name)
        if var key {
            key.isOptional = false
            entity.attributes = [key]
            entity.uniquenessConstraints = [[key.name]]
        }
        entity.attributes += attributes
        entity.relationships = relationships
        return entity
    }

    /// A to-one relationship.
    public static func one(
        _ name: String, _ destination: String, inverse: String? = nil,
        _ change: (inout RelationshipDescription) -> Void = { _ in }
    ) -> RelationshipDescription {
        var relationship = RelationshipDescription(name, to: destination)
        relationship.inverse = inverse
        relationship.maximumCount = 1
        change(&relationship)
        return relationship
    }

    /// A to-many relationship.
    public static func many(
        _ name: String, _ destination: String, inverse: String? = nil, isOrdered: Bool = false,
        _ change: (inout RelationshipDescription) -> Void = { _ in }
    ) -> RelationshipDescription {
        var relationship = one(name, destination, inverse: inverse, change)
        relationship.maximumCount = 0
        relationship.isToMany = true
        relationship.isOrdered = isOrdered
        return relationship
    }
}
