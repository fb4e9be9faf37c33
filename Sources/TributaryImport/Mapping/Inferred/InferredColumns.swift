import TributaryStore

/// The inferred columns of a table, in the order in which their JSON keys first occurred, or the columns of a table that
/// another program made.
struct InferredColumns: Sendable {
    /// The column for members without a column of their own, as one JSON object.
    static let rest = "_rest"
    /// The column for a record that is not an object.
    static let value = "value"
    /// The largest number of columns; SQLite allows 2000, those of the library included.
    static let maximumCount = 1900
    /// The length of the longest JSON key that becomes a column, in bytes.
    static let maximumNameBytes = 200

    /// The names of the columns, in their order.
    private(set) var names: [String] = []
    private var indexes: [String: Int] = [:]
    /// The columns by their names in lower case.
    private var folded: [String: Int] = [:]

    /// A table that another program made.
    struct Fixed: Sendable {
        /// The columns that compute their values, in lower case.
        let generated: Set<String>
        /// Whether columns are added for members without one.
        let grows: Bool
        /// The column for members without a column of their own, as one JSON object.
        let rest: String?

        init(generated: [String], grows: Bool, rest: String?) {
            self.generated = Set(generated.map(\.lowercasedForColumns))
            self.grows = grows
            self.rest = rest
        }
    }

    /// The rules of a table that another program made; nil if columns are inferred.
    let fixed: Fixed?

    /// The columns that a table has already.
    init(_ names: [String], fixed: Fixed? = nil) {
        self.fixed = fixed
        for name in names { add(name) }
    }

    private mutating func add(_ name: String) {
        indexes[name] = names.count
        folded[name.lowercasedForColumns] = names.count
        names.append(name)
    }

    /// The index of the column of a JSON key, which is added if it is new; nil if the key cannot be a column.
    mutating func index(of key: String) -> Int? {
        if let fixed { return index(of: key, fixed) }
        if key == InferredColumns.rest { return nil }
        // Strings of different bytes may be equal in Unicode; only one of them can be the name of an attribute.
        if let index = indexes[key] { return names[index].hasBytes(of: key) ? index : nil }
        let limit = InferredColumns.maximumCount - (indexes[InferredColumns.rest] == nil ? 1 : 0)
        guard InferredColumns.isPossible(key), names.count < limit,
            // SQLite ignores the case of names.
            folded[key.lowercasedForColumns] == nil
        else { return nil }
        add(key)
        return names.count - 1
    }

    /// The index of a column by its name in any case of the letters A to Z; nil if there is none yet.
    func knownIndex(of name: String) -> Int? { folded[name.lowercasedForColumns] }

    /// Why a JSON key has no column.
    func reason(for key: String) -> InferenceReport.Rest.Reason {
        if let fixed {
            return fixed.generated.contains(key.lowercasedForColumns) ? .generated : .noColumn
        }
        if key == InferredColumns.rest || !InferredColumns.isPossible(key) { return .name }
        return folded[key.lowercasedForColumns] != nil ? .letterCase : .columnLimit
    }

    /// The index of a column by its name, or by its name in another case.
    private mutating func index(of key: String, _ fixed: Fixed) -> Int? {
        if key == fixed.rest || fixed.generated.contains(key.lowercasedForColumns) { return nil }
        if let index = indexes[key] { return names[index].hasBytes(of: key) ? index : nil }
        if let index = folded[key.lowercasedForColumns] { return names[index] == fixed.rest ? nil : index }
        guard fixed.grows, !key.isEmpty, !key.utf8.contains(0), names.count < InferredColumns.maximumCount else {
            return nil
        }
        add(key)
        return names.count - 1
    }

    /// Whether members without a column can be stored.
    var hasRest: Bool { fixed == nil || fixed?.rest != nil }

    /// The index of the column `rest`, which is added if it does not exist.
    mutating func restIndex() -> Int {
        let rest = fixed?.rest ?? InferredColumns.rest
        if let index = indexes[rest] ?? folded[rest.lowercasedForColumns] { return index }
        add(rest)
        return names.count - 1
    }

    /// Whether a JSON key can be the name of a column.
    private static func isPossible(_ key: String) -> Bool {
        !key.isEmpty && key.utf8.count <= maximumNameBytes && !key.utf8.contains(0) && !ReservedNames.isColumn(key)
    }
}

extension String {
    /// Whether both texts have the same bytes.
    func hasBytes(of other: String) -> Bool { self == other && utf8.elementsEqual(other.utf8) }

    /// The text with the letters A to Z in lower case, as SQLite compares names.
    fileprivate var lowercasedForColumns: String {
        String(
            decoding: utf8.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 | 0x20 : $0 }, as: UTF8.self)
    }
}
