/// What an import does with members that a table of another program has no column for, and with keys.
public struct ExistingTable: Sendable, Hashable, Codable {
    /// Which values of a record become columns; nil for its members.
    public var shaping: ColumnShaping?
    /// Whether columns are added for members without one; they are declared without a type.
    public var addsColumns = false
    /// The column for members without a column of their own, as one JSON object.
    public var rest: String?
    /// Whether each record inserts a row, also if the table has a key.
    public var appends = false

    /// An import that ends at a member without a column.
    public init() {}
}
