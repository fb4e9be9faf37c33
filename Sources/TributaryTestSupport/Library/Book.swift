package import Foundation
package import TributaryGraph

/// A book, with attributes of most types.
package final class Book: ManagedObject {
    @Attribute(.unique) package var isbn: String
    @Attribute package var published: Date?
    @Attribute package var price: Decimal?
    @Attribute package var weight: Double?
    @Attribute package var scale: Float?
    @Attribute package var pages: Int16?
    @Attribute package var cover: Data?
    @Attribute package var key: UUID?
    @Attribute package var home: URL?
    @Relationship package var author: Author?
    @Relationship(inverse: \Series.books) package var series: Series?
}
