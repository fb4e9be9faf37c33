package import TributaryModel
package import TributarySQLite

/// A sorted list of rows that is read in parts, each from the place at which another one ended.
///
/// The order is that of SQLite: null, numbers, text, bytes. Rows with the same value have the order of their keys, so
/// the row after a place is found with an index, whatever the number of rows before it.
///
///     ORDER BY price DESC, _pk DESC      after (5, 12):  price = 5 AND _pk < 12,  then price < 5,  then price IS NULL
package struct RowList: Sendable {
    /// Which rows it has, beside the filter of the request.
    package enum Scope: Sendable {
        /// All rows.
        case all
        /// The objects that a relationship of the object with a key leads to.
        case destinations(RelationshipProperty, of: Int64)
        /// The objects whose relationship leads to the object with a key.
        case owners(RelationshipProperty, of: Int64)
        /// The rows with keys.
        case keys([SQLValue])
        /// The rows in which the text of an attribute begins with another, of the same case.
        case prefix(String, String)
    }

    /// The place of a row in the order.
    package struct Place: Sendable, Hashable {
        /// The value that is sorted by; nil for the one that the row with the key has, as for a long one.
        package var value: SQLValue?
        /// The key; null in a table or view without keys.
        package var key: SQLValue

        /// The place of a row.
        package init(value: SQLValue?, key: SQLValue) { (self.value, self.key) = (value, key) }
    }

    /// The entity, the columns and the filter; its order and its limit are those of the list.
    package var request: ValueRequest
    /// Which rows it has.
    package var scope = Scope.all
    /// The path that is sorted by; empty for the keys alone.
    package var sort: [String] = []
    /// Whether the order is descending.
    package var isDescending = false
    /// The place after which rows are read; nil for the first ones.
    package var place: Place?
    /// Whether rows before the place are read instead, or without a place the last ones, the nearest first.
    package var isBackward = false
    /// The most rows that are read.
    package var limit = 50
    /// The number of rows to skip, where rows have no keys.
    package var offset = 0

    /// A list of the rows of a request.
    package init(_ request: ValueRequest) { self.request = request }

    /// Whether rows are read in ascending order.
    var isAscending: Bool { isDescending == isBackward }
    /// The bytes of a value beyond which a place has none.
    static let mostBytes = 120
}
