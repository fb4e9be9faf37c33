import TributaryStore

/// Which values of a record become columns, where these are not its members as they are, and how they are converted.
public struct ColumnShaping: Sendable, Hashable, Codable {
    /// A column with the path of its values.
    public struct Selection: Sendable, Hashable, Codable {
        /// The name of the column.
        public let name: String
        /// The keys that lead to its value in a record.
        public let path: [String]

        /// The column `name` with the values at `path`, as in `address.city`.
        public init(_ name: String, path: String) {
            self.name = name
            self.path = RemoteKey(path).path
        }
    }

    /// The text between the names of nested members, each of which becomes a column; nil to keep objects as JSON.
    public var flatten: String?
    /// The only columns, with the paths of their values; nil for all members.
    public var columns: [Selection]?
    /// Whether the typed values of MongoDB's Extended JSON become plain ones: `{"$numberLong": "5"}` becomes 5.
    public var unwrapsExtendedJSON = true
    /// The column that gets the name of the source of each record.
    public var source: String?

    /// What becomes of the values of columns, by their names; nil for as they are.
    public var rules: [String: ColumnRule]?
    /// For the rows of a dictionary, the column that gets the keys.
    package var keyColumn: String?
    /// For the rows of a dictionary that keep its values as they are, the column that gets these.
    package var valueColumn: String?

    /// Members as they are.
    public init() {}

    /// The columns without what becomes of their values; nil if each member is one.
    var ofPlaces: ColumnShaping? {
        var places = self
        places.rules = nil
        return places == ColumnShaping() ? nil : places
    }

    /// - Throws: `ImportError` if the column for the name of the source is part of the key, or a column of the key has a
    ///   default.
    func check(key: [String]) throws(ImportError) {
        for (name, rule) in (rules ?? [:]).sorted(by: { $0.key < $1.key }) where rule.defaultValue != nil {
            guard key.contains(where: { $0.lowercasedASCII == name.lowercasedASCII }) else { continue }
            throw ImportError(
                .route, "the column \(name) is part of the key, and cannot have a default",
                hint: "name another column")
        }
        guard let source, key.contains(where: { $0.lowercased() == source.lowercased() }) else { return }
        throw ImportError(
            .route, "the column \(source) is part of the key, and cannot get the name of the source",
            hint: "choose another column for it")
    }
}
