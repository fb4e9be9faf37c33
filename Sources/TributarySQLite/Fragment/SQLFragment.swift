/// A piece of SQL: its text and the values bound in it, as one value.
///
///     let query: SQLFragment = "SELECT \(identifier: "name") FROM \(identifier: "Author") WHERE id = \(7)"
///     query.text      // SELECT "name" FROM "Author" WHERE id = ?
///     query.bindings  // [7]
///
/// What is interpolated is bound, quoted as a name, or a fragment itself; no value ever becomes text.
public struct SQLFragment: Sendable, Hashable {
    /// The text, with a question mark for each value.
    public private(set) var text: String
    /// The values, in the order of their question marks.
    public private(set) var bindings: [SQLValue]

    /// An empty piece.
    public init() {
        text = ""
        bindings = []
    }

    /// A name in quotes.
    public init(_ identifier: SQLIdentifier) {
        text = identifier.quoted
        bindings = []
    }

    /// A bound value.
    public init(_ value: some SQLBindable) {
        text = "?"
        bindings = [value.sqlValue]
    }

    /// Whether there is nothing in it.
    public var isEmpty: Bool { text.isEmpty }

    /// Adds another piece at the end.
    public mutating func append(_ other: SQLFragment) {
        text += other.text
        bindings += other.bindings
    }

    /// Both pieces, one behind the other.
    public static func + (one: SQLFragment, other: SQLFragment) -> SQLFragment {
        var result = one
        result.append(other)
        return result
    }

    /// Adds a piece at the end.
    public static func += (one: inout SQLFragment, other: SQLFragment) { one.append(other) }
}

extension SQLFragment: ExpressibleByStringInterpolation {
    /// A piece of text without values.
    public init(stringLiteral text: String) {
        self.text = text
        bindings = []
    }

    /// The text of a literal with the values interpolated in it.
    public init(stringInterpolation interpolation: Interpolation) { self = interpolation.fragment }

    /// Collects the parts of a literal.
    public struct Interpolation: StringInterpolationProtocol {
        var fragment = SQLFragment()

        /// Makes room.
        public init(literalCapacity: Int, interpolationCount: Int) {
            fragment.text.reserveCapacity(literalCapacity + 2 * interpolationCount)
        }

        /// Text of the literal itself.
        public mutating func appendLiteral(_ literal: String) { fragment.text += literal }

        /// A value, which is bound.
        public mutating func appendInterpolation(_ value: some SQLBindable) { fragment += SQLFragment(value) }

        /// Another piece.
        public mutating func appendInterpolation(_ other: SQLFragment) { fragment += other }

        /// A name, which is quoted.
        public mutating func appendInterpolation(identifier name: String) {
            fragment += SQLFragment(SQLIdentifier(name))
        }

        /// Several pieces with another one between them.
        public mutating func appendInterpolation(_ parts: some Sequence<SQLFragment>, separator: SQLFragment = ", ") {
            fragment += parts.joined(separator: separator)
        }
    }
}

extension Sequence<SQLFragment> {
    /// The pieces one behind the other, with `separator` between them.
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
