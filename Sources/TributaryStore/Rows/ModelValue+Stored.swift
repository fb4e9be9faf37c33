import Foundation
package import TributaryModel
package import TributarySQLite

extension ModelValue {
    /// The value as a store keeps it in an attribute of `type`.
    package func stored(as type: AttributeType) -> SQLValue {
        switch fitted(to: type) {
        case .integer(let value): .integer(value)
        case .double(let value): .real(value)
        case .decimal(let value): .text("\(value)")
        case .string(let value): .text(value)
        case .boolean(let value): .integer(value ? 1 : 0)
        case .date(let value): .real(value.timeIntervalSince1970)
        case .data(let value): .blob(Array(value))
        case .uuid(let value): .text(value.uuidString)
        case .url(let value): .text(value.absoluteString)
        }
    }

    /// The value in the form of an attribute type: an integer becomes a fraction, and JSON loses its white space.
    package func fitted(to type: AttributeType) -> ModelValue {
        switch (type.kind, self) {
        case (.double, .integer(let number)), (.float, .integer(let number)): .double(Double(number))
        case (.float, .double(let number)): .double(Double(Float(number)))
        case (.decimal, .integer(let number)): .decimal(Decimal(number))
        case (.json, .string(let text)): (try? JSONText(text)).map { .string($0.text) } ?? self
        default: self
        }
    }
}
