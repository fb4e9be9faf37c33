/// A position in the text of a filter.
///
/// An interpolated value counts as one character.
public struct FilterPosition: Sendable, Hashable, CustomStringConvertible {
    /// The offset in characters (Unicode scalars), from 0.
    public let offset: Int
    /// The line, from 1.
    public let line: Int
    /// The column in characters, from 1.
    public let column: Int

    /// A position with an offset, a line and a column.
    public init(offset: Int, line: Int, column: Int) {
        self.offset = offset
        self.line = line
        self.column = column
    }

    /// The line and the column, such as `1:17`.
    public var description: String { "\(line):\(column)" }
}
