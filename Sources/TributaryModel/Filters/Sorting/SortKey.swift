/// A key path to sort by.
///
///     let keys = [SortKey("lastName", options: .caseInsensitive), SortKey("age", ascending: false)]
public struct SortKey: Sendable, Hashable {
    /// The keys of the path.
    public var keyPath: [String]
    /// Whether the order is ascending.
    public var ascending: Bool
    /// How text is compared.
    public var options: FilterOptions

    /// A key path with dots between its keys.
    public init(_ keyPath: String, ascending: Bool = true, options: FilterOptions = []) {
        self.keyPath = keyPath.split(separator: ".").map(String.init)
        self.ascending = ascending
        self.options = options
    }
}
