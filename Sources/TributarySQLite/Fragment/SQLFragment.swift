/// A part of a SQL statement: its text and its bound values.
///
///     let query: SQLFragment = "SELECT \(identifier: "name") FROM \(identifier: "Author") WHERE id = \(7)"
///     query.text      // SELECT "name" FROM "Author" WHERE id = ?
///     query.bindings  // [7]
///
/// An interpolation is bound as a value, quoted as a name, or a fragment itself; a value never becomes text.
public struct SQLFragment: Sendable, Hashable {
    /// The text, with a question mark for each value.
    public private(set) var text: String
    /// The values, in the order of their question marks.
    public private(set) var bindings: [SQLValue]

    /// An empty fragment.
    public init() {
        text = ""
        bindings = []
    }

    /// A bound value.
    public init(_ value: some SQLBindable) {
        text = "?"
        bindings = [value.sqlValue]
    }

    /// Trusted text without values that is not a literal, such as a number or a quoted name.
    package init(trusted text: String) {
        self.text = text
        bindings = []
    }

    /// Whether the text is empty.
    public var isEmpty: Bool { text.isEmpty }

    /// Appends another fragment.
    public mutating func append(_ other: SQLFragment) {
        text += other.text
        bindings += other.bindings
    }

    /// The concatenation of two fragments.
    public static func + (one: SQLFragment, other: SQLFragment) -> SQLFragment {
        var result = one
        result.append(other)
        return result
    }

    /// Appends another fragment.
    public static func += (one: inout SQLFragment, other: SQLFragment) { one.append(other) }
}

extension SQLFragment: ExpressibleByStringInterpolation {
    /// Text without values.
    ///
    /// A `StaticString` cannot be created at run time, so only literals in the source code become text.
    public init(stringLiteral text: StaticString) {
        self.text = "\(text)"
        bindings = []
    }

    /// The text of a literal with the values interpolated in it.
    public init(stringInterpolation interpolation: Interpolation) { self = interpolation.fragment }

    /// Collects the parts of a literal.
    public struct Interpolation: StringInterpolationProtocol {
        var fragment = SQLFragment()

        /// Reserves memory.
        public init(literalCapacity: Int, interpolationCount: Int) {
            fragment.text.reserveCapacity(literalCapacity + 2 * interpolationCount)
        }

        /// Appends text of the literal.
        public mutating func appendLiteral(_ literal: StaticString) { fragment.text += "\(literal)" }

        /// Appends a value, which is bound.
        public mutating func appendInterpolation(_ value: some SQLBindable) { fragment += SQLFragment(value) }

        /// Appends another fragment.
        public mutating func appendInterpolation(_ other: SQLFragment) { fragment += other }

        /// Appends a name, which is quoted.
        public mutating func appendInterpolation(identifier name: String) {
            fragment.text += SQLIdentifier(name).quoted
        }

        /// Appends several fragments with a separator between them.
        public mutating func appendInterpolation(_ parts: some Sequence<SQLFragment>, separator: SQLFragment = ", ") {
            fragment += parts.joined(separator: separator)
        }
    }
}

/// Fragments that become one, with separators.
extension Sequence<SQLFragment> {
    /// The fragments concatenated, with `separator` between them.
    public func joined(separator: SQLFragment = ", ") -> SQLFragment {
        var result = SQLFragment()
        var isFirst = true
        for part in self {
            if !isFirst { result += separator }
            isFirst = false
            result += part
        }
        return result
    }
}
