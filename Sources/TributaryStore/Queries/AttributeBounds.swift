import Foundation
package import TributaryModel
package import TributarySQLite

/// The bounds that a model sets for the values of an attribute, prepared for fast checks.
package struct AttributeBounds: Sendable {
    /// The kind of a bound.
    package enum Bound { case minimum, maximum, minimumLength, maximumLength, pattern }
    /// A violated bound.
    package typealias Fault = (bound: Bound, reason: String)

    package let attribute: AttributeProperty
    private let minimum: FilterValue?
    private let maximum: FilterValue?
    /// The regular expression that the whole value must match, compiled once.
    private let pattern: NSRegularExpression?

    /// The bounds of an attribute; nil if it has none.
    package init?(_ attribute: AttributeProperty) {
        let declaration = attribute.declaration
        guard declaration.minimum != nil || declaration.maximum != nil || declaration.regularExpression != nil else {
            return nil
        }
        self.attribute = attribute
        minimum = declaration.minimum?.filterValue
        maximum = declaration.maximum?.filterValue
        pattern = declaration.regularExpression.flatMap { try? NSRegularExpression(pattern: "\\A(?:\($0))\\z") }
    }

    /// The bounds that a value violates; null violates none.
    package func faults(_ value: FilterValue) -> [Fault] {
        var faults: [Fault] = []
        switch value {
        case .null: break
        case .string(let text):
            let length = Int64(text.unicodeScalars.count)
            if case .integer(let least)? = minimum, length < least {
                faults.append((.minimumLength, "has \(length) characters, expected at least \(least)"))
            }
            if case .integer(let most)? = maximum, length > most {
                faults.append((.maximumLength, "has \(length) characters, expected at most \(most)"))
            }
            if let expression = attribute.declaration.regularExpression,
                pattern?.firstMatch(in: text, range: NSRange(text.startIndex..., in: text)) == nil
            {
                faults.append((.pattern, "does not match \(expression)"))
            }
        default:
            if let minimum, value.order(to: minimum) == .orderedAscending {
                faults.append((.minimum, "is below \(minimum)"))
            }
            if let maximum, value.order(to: maximum) == .orderedDescending {
                faults.append((.maximum, "is above \(maximum)"))
            }
        }
        return faults
    }
}

extension AttributeBounds {
    /// The bounds that a stored value violates.
    package func faults(stored value: SQLValue) -> [Fault] { faults(attribute.filterValue(stored: value)) }
}

extension AttributeProperty {
    /// The `FilterValue` of a stored value.
    package func filterValue(stored value: SQLValue) -> FilterValue { FilterCodec.decode(value, as: type.filterKind) }
}

extension ModelValue {
    /// The value as a `FilterValue`.
    var filterValue: FilterValue {
        switch self {
        case .integer(let value): .integer(value)
        case .double(let value): .double(value)
        case .decimal(let value): .decimal(value)
        case .string(let value): .string(value)
        case .boolean(let value): .boolean(value)
        case .date(let value): .date(value)
        case .data(let value): .data(value)
        case .uuid(let value): .uuid(value)
        case .url(let value): .url(value)
        }
    }
}
