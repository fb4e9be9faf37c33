import Foundation

extension Row {
    /// Whether a slot holds equal values in both rows; an object is equal to the key of its row.
    func isEqual(_ other: Row, _ slot: Int) -> Bool {
        switch (kind(slot), other.kind(slot)) {
        case (.null, .null): true
        case (.integer, .integer): integer(slot) == other.integer(slot)
        case (.double, .double): double(slot) == other.double(slot)
        case (.text, .text): hasText(other.text(slot), slot)
        case (.data, .data): data(slot) == other.data(slot)
        case (.uuid, .uuid): uuid(slot) == other.uuid(slot)
        case (.boxed, .boxed): Row.isEqual(boxed(slot), other.boxed(slot))
        case (.boxed, .integer): object(slot)?.key == other.integer(slot)
        case (.integer, .boxed): integer(slot) == other.object(slot)?.key
        default: false
        }
    }

    private static func isEqual(_ one: AnyObject, _ other: AnyObject) -> Bool {
        if one === other { return true }
        switch (one, other) {
        case (let one as Box<Decimal>, let other as Box<Decimal>): return one.value == other.value
        case (let one as Box<URL>, let other as Box<URL>):
            return one.value.absoluteString.utf8.elementsEqual(other.value.absoluteString.utf8)
        default: return false
        }
    }

    func object(_ slot: Int) -> ManagedObject? { kind(slot) == .boxed ? boxed(slot) as? ManagedObject : nil }

    func clear() {
        for slot in 0..<count { clear(slot) }
    }
}
