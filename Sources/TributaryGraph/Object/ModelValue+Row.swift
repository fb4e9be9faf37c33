import Foundation

extension ModelValue {
    /// Stores the value in a slot.
    func write(_ row: Row, _ slot: Int) {
        switch self {
        case .integer(let value): value.write(row, slot)
        case .double(let value): value.write(row, slot)
        case .decimal(let value): value.write(row, slot)
        case .string(let value): value.write(row, slot)
        case .boolean(let value): value.write(row, slot)
        case .date(let value): value.write(row, slot)
        case .data(let value): value.write(row, slot)
        case .uuid(let value): value.write(row, slot)
        case .url(let value): value.write(row, slot)
        }
    }
}

extension ModelValue {
    /// The value in the form of an attribute type: an integer becomes a fraction, and JSON loses its white space.
    func fitted(to type: AttributeType) -> ModelValue {
        switch (type.kind, self) {
        case (.double, .integer(let number)), (.float, .integer(let number)): .double(Double(number))
        case (.float, .double(let number)): .double(Double(Float(number)))
        case (.decimal, .integer(let number)): .decimal(Decimal(number))
        case (.json, .string(let text)): (try? JSONText(text)).map { .string($0.text) } ?? self
        default: self
        }
    }
}
