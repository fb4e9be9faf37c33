/// A value that a template shows.
package enum PageValue: Sendable, Equatable {
    /// Text, which is escaped.
    case text(String)
    /// A section is shown once for each; with none it is absent.
    case list([PageValues])
    /// Whether a section is shown.
    case flag(Bool)

    /// A number as plain text.
    package static func number(_ number: some BinaryInteger) -> PageValue { .text(String(number)) }
}

/// Values by their names in a template.
package typealias PageValues = [String: PageValue]

extension PageValue: ExpressibleByStringLiteral, ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral {
    package init(stringLiteral text: String) { self = .text(text) }

    package init(booleanLiteral flag: Bool) { self = .flag(flag) }

    package init(arrayLiteral items: PageValues...) { self = .list(items) }
}
