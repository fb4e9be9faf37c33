/// What became of values that inferred columns could not store as they are.
public struct InferenceReport: Sendable, Hashable, Codable {
    /// A member that is no column.
    public struct Rest: Sendable, Hashable, Codable {
        /// Why a member is in the column `_rest`.
        public enum Reason: String, Sendable, Codable {
            /// Its key differs from another one only in the case of letters.
            case letterCase
            /// There are as many columns as SQLite allows.
            case columnLimit
            /// Its key cannot be the name of a column: it is empty, reserved, contains U+0000, or has over 200 bytes.
            case name
            /// A table of another program has no column for it.
            case noColumn
            /// The column computes its value.
            case generated
            /// It has the name of the key column, which has another value.
            case keyColumn
            /// Another member of the record has its column, as when `{"a": {"b": 1}, "a_b": 2}` is flattened.
            case flattened
            /// Its key is that of the column for the name of the source.
            case sourceColumn
        }

        /// Why.
        public let reason: Reason
        /// The number of values.
        public var count: Int
    }

    /// For each column the number of decimals that became the nearest double.
    public internal(set) var rounded: [String: Int] = [:]
    /// For each column the number of values that are stored as the text of a number.
    public internal(set) var digits: [String: Int] = [:]
    /// The members in the column `_rest`, at most a hundred.
    public private(set) var rest: [String: Rest] = [:]
    /// The number of values of further members in the column `_rest`.
    public private(set) var others = 0
    /// The columns without a declared type, whose values have no common one.
    public var mixed: [String] = []
    /// For each column whose declared type the run has changed, the types before and after; nil if there is none.
    public var widened: [String: String]?
    /// For each column whose name is not that of its member, since a table cannot have that one, the member; nil if there
    /// is none.
    public package(set) var renamed: [String: String]?
    /// The columns with JSON of objects that have an id, which could have tables of their own; nil if there are none.
    public private(set) var objects: Set<String>?

    /// The largest number of members in `rest`.
    static let maximumCount = 100

    /// A report of columns, some of which have other names than their members.
    package init(renamed: [String: String]? = nil) { self.renamed = renamed }

    /// Whether there is nothing to report.
    public var isEmpty: Bool {
        rounded.isEmpty && digits.isEmpty && rest.isEmpty && others == 0 && mixed.isEmpty && widened == nil
            && objects == nil && renamed == nil
    }

    mutating func addObjects(_ column: String) { objects = (objects ?? []).union([column]) }

    mutating func addRest(_ name: String, _ reason: @autoclosure () -> Rest.Reason, _ count: Int = 1) {
        if rest[name] != nil || rest.count < InferenceReport.maximumCount {
            rest[name, default: Rest(reason: reason(), count: 0)].count += count
        } else {
            others += count
        }
    }

    /// Adds the counts of another chunk; the mixed columns are those of the table.
    mutating func add(_ other: InferenceReport) {
        rounded.merge(other.rounded, uniquingKeysWith: +)
        digits.merge(other.digits, uniquingKeysWith: +)
        for (name, value) in other.rest { addRest(name, value.reason, value.count) }
        others += other.others
        if let columns = other.objects { objects = (objects ?? []).union(columns) }
        if let names = other.renamed { renamed = (renamed ?? [:]).merging(names) { $1 } }
    }

    /// Whether all counts are possible, so that a row written by another program cannot crash this one.
    var isPlausible: Bool {
        let counts = Array(rounded.values) + Array(digits.values) + rest.values.map(\.count) + [others]
        return rest.count <= InferenceReport.maximumCount && objects?.count ?? 0 <= InferredColumns.maximumCount
            && counts.allSatisfy { (0...1 << 53).contains($0) }
    }
}
