/// A request for plain values: columns straight from the store, grouped or not.
///
///     var request = ValueRequest(entity: "Book")
///     request.columns = [.key("author"), .init("total", .function(.sum, [.keyPath(["price"])]))]
///     request.groupBy = [["author"]]
///     for row in try context.values(request) { print(row["author"], row["total"]) }
///
/// Unsaved changes are not included. Aggregates follow the same functions of filters: `count` includes null, and
/// `average` treats null as 0; exclude null with the filter if that is not wanted. A function of a to-many
/// relationship, such as `count(books)`, has a value for each row and creates no group.
public struct ValueRequest: Sendable {
    /// A column of the result.
    public struct Column: Sendable, Hashable {
        /// The name in the result.
        public var name: String
        /// The expression that computes the value.
        ///
        /// An aggregate function (`sum`, `min`, `max`, `average`, `count`, `median`, `stddev`) of a key path has one
        /// value for each group; `count(SELF)` is the number of rows in the group.
        public var expression: FilterExpression

        /// A column with a name and an expression.
        public init(_ name: String, _ expression: FilterExpression) {
            self.name = name
            self.expression = expression
        }

        /// A column with the values of a key path, named after it.
        public static func key(_ path: String) -> Column {
            Column(path, .keyPath(path.split(separator: ".").map(String.init)))
        }
    }

    /// The name of the entity.
    public var entityName: String
    /// The condition for the rows; nil matches all.
    public var filter: Filter?
    /// The columns; if empty, all stored attributes and to-one relationships.
    public var columns: [Column] = []
    /// Whether duplicate rows are removed.
    public var isDistinct = false
    /// The key paths to group by.
    public var groupBy: [[String]] = []
    /// The condition for groups; its keys are names of columns.
    public var having: Filter?
    /// The order, by names of columns or key paths.
    ///
    /// Groups and distinct rows can be sorted only by values that are the same for all their rows.
    public var sort: [SortKey] = []
    /// The maximum number of results; nil means no limit.
    public var limit: Int?
    /// The number of results to skip.
    public var offset = 0
    /// Whether objects of subentities are included.
    public var includesSubentities = true
    /// The values of `$variables` in the filters.
    public var variables: [String: FilterValue] = [:]

    /// The words that rows must have, as they are typed.
    ///
    /// The rows that match best come first unless the request says another order. Only a `QueryableDatabase` searches.
    package var match: String?

    /// A request for the values of an entity.
    public init(entity name: String, where filter: Filter? = nil) {
        entityName = name
        self.filter = filter
    }
}
