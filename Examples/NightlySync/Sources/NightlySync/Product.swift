import Foundation
import Tributary

/// A product of the shop; `sku` is its key in the feed.
final class Product: ManagedObject {
    @Attribute(.unique) var sku: String
    @Attribute var name: String
    @Attribute var price: Decimal
    @Attribute var country: String?

    /// Sets everything but the key; a record without a name or a valid price is rejected.
    func update(from record: Record) throws {
        name = try record.require("name")
        price = try record.require("price")
        guard price >= 0 else { throw record["price"].outOfRange(expected: "a price that is not negative") }
        country = record["country"]
    }
}
