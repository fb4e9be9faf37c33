/// A row of the result of a ``ValueRequest``: the values by column name, in the order of the columns.
///
///     row["total"]   // .decimal(31.5)
///     row.values[0]  // the value of the first column
///     for (name, value) in row { … }
public struct ValueRow: Sendable, Hashable, RandomAccessCollection {
    /// The column names, shared by all rows of a result.
    final class Header: Sendable, Hashable {
        let names: [String]
        let indexes: [String: Int]

        init(_ names: [String]) {
            self.names = names
            indexes = Dictionary(zip(names, 0...)) { first, _ in first }
        }

        static func == (left: Header, right: Header) -> Bool { left === right || left.names == right.names }

        func hash(into hasher: inout Hasher) { hasher.combine(names) }
    }

    private let header: Header
    /// The values, in the order of the columns.
    public let values: [FilterValue]

    init(_ header: Header, _ values: [FilterValue]) {
        self.header = header
        self.values = values
    }

    /// The names of the columns, in their order.
    public var names: [String] { header.names }
    /// The index of the first column.
    public var startIndex: Int { 0 }
    /// The index after the last column.
    public var endIndex: Int { values.count }

    /// The name and the value of the column at an index.
    public subscript(position: Int) -> (name: String, value: FilterValue) {
        (header.names[position], values[position])
    }

    /// The value of a column in constant time; nil if there is no column with that name.
    public subscript(name: String) -> FilterValue? { header.indexes[name].map { values[$0] } }
}

extension ValueRow: CustomStringConvertible {
    /// The names and the values.
    public var description: String { map { "\($0.name): \($0.value)" }.joined(separator: ", ") }
}
