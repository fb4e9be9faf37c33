import TributaryStore

/// Rows with a value, or with one in a range.
package struct RowPart: Sendable {
    /// The value or the range as it is shown.
    package let label: String
    /// The number of rows, among those of the profile.
    package internal(set) var count = 0
    /// The filter that matches exactly these rows; nil if no filter can.
    package let filter: Filter?

    init(_ label: String, _ filter: Filter?) { (self.label, self.filter) = (label, filter) }
}
