import TributarySQLite

/// The text of a SQL statement: literals of the source code and quoted names.
///
///     let sql: PostgresSQL = "SELECT \(name: "size") FROM \(name: "Report") WHERE id = $1::bigint"
///     sql.text  // SELECT "size" FROM "Report" WHERE id = $1::bigint
///
/// A value is never part of it; a statement has `$1` in its place.
package struct PostgresSQL: Sendable, Hashable {
    /// The text.
    package private(set) var text: String
    /// The error of the first name that PostgreSQL cannot hold; it is thrown instead of running the statement.
    private(set) var failure: PostgresError?

    /// An empty text.
    package init() { text = "" }

    /// A quoted name.
    package init(name: String) {
        // `SQLIdentifier` traps on U+0000.
        text = name.utf8.contains(0) ? "" : SQLIdentifier(name).quoted
        failure = PostgresSQL.failure(of: name)
    }

    /// Text that the server has written, such as the name of a type or the expression of a default value, or that names
    /// a type of this library.
    init(catalogue text: String) { self.text = text }

    /// A whole number.
    init(number: Int) { text = "\(number)" }

    /// The concatenation of two texts.
    package static func + (one: PostgresSQL, other: PostgresSQL) -> PostgresSQL { "\(one)\(other)" }

    /// Appends another text.
    package static func += (one: inout PostgresSQL, other: PostgresSQL) {
        one.text += other.text
        one.failure = one.failure ?? other.failure
    }

    /// The number of bytes of the longest name; the server would truncate a longer one.
    package static let longestName = 63

    private static func failure(of name: String) -> PostgresError? {
        if name.isEmpty { return PostgresError(.text, "a name is empty") }
        if name.utf8.contains(0) {
            return PostgresError(.text, "the name \(name.debugDescription) contains U+0000, which PostgreSQL refuses")
        }
        if name.utf8.count > longestName {
            return PostgresError(
                .text,
                "the name \(name.debugDescription) has \(name.utf8.count) bytes; PostgreSQL truncates a name to"
                    + " \(longestName)", hint: "choose a shorter name")
        }
        return nil
    }
}

extension PostgresSQL: ExpressibleByStringInterpolation {
    /// Text without names.
    ///
    /// A `StaticString` cannot be created at run time, so only literals in the source code become text.
    package init(stringLiteral text: StaticString) { self.text = "\(text)" }

    /// The text of a literal with the names interpolated in it.
    package init(stringInterpolation interpolation: Interpolation) { self = interpolation.sql }

    /// Collects the parts of a literal.
    package struct Interpolation: StringInterpolationProtocol {
        var sql = PostgresSQL()

        /// Reserves memory.
        package init(literalCapacity: Int, interpolationCount: Int) {
            sql.text.reserveCapacity(literalCapacity + 16 * interpolationCount)
        }

        /// Appends text of the literal.
        package mutating func appendLiteral(_ literal: StaticString) { sql.text += "\(literal)" }

        /// Appends a name, which is quoted.
        package mutating func appendInterpolation(name: String) { sql += PostgresSQL(name: name) }

        /// Appends names, which are quoted, with commas between them.
        package mutating func appendInterpolation(names: some Sequence<String>) {
            sql += names.map(PostgresSQL.init(name:)).joined()
        }

        /// Appends another text.
        package mutating func appendInterpolation(_ other: PostgresSQL) { sql += other }

        /// Appends several texts with a separator between them.
        package mutating func appendInterpolation(_ parts: some Sequence<PostgresSQL>, separator: PostgresSQL = ", ") {
            sql += parts.joined(separator: separator)
        }
    }
}

extension Sequence<PostgresSQL> {
    /// The texts concatenated, with `separator` between them.
    package func joined(separator: PostgresSQL = ", ") -> PostgresSQL {
        enumerated().reduce(into: PostgresSQL()) { result, part in
            if part.offset > 0 { result += separator }
            result += part.element
        }
    }
}
