/// A row of the result of a ``ValueRequest``: values under the names of the columns, in their order.
///
///     row["total"]   // .decimal(31.5)
///     row.values[0]  // the value of the first column
///     for (name, value) in row { … }
public struct ValueRow: Sendable, Hashable, RandomAccessCollection {
    /// The columns of all rows of a result.
    final class Header: Sendable, Hashable {
        let names: [String]
        let places: [String: Int]

        init(_ names: [String]) {
            self.names = names
            places = Dictionary(zip(names, 0...)) { first, _ in first }
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
    /// The place of the first column.
    public var startIndex: Int { 0 }
    /// The place behind the last column.
    public var endIndex: Int { values.count }

    /// The name and the value of the column at a place.
    public subscript(position: Int) -> (name: String, value: FilterValue) {
        (header.names[position], values[position])
    }

    /// The value of a column; nil if there is no column of that name, in constant time.
    public subscript(name: String) -> FilterValue? { header.places[name].map { values[$0] } }
}

extension ValueRow: CustomStringConvertible {
    /// The names and the values.
    public var description: String { map { "\($0.name): \($0.value)" }.joined(separator: ", ") }
}
