/// What to fetch as plain values: columns, grouped or not, straight from the store.
///
///     var request = ValueRequest(entity: "Book")
///     request.columns = [.key("author"), .init("total", .function(.sum, [.keyPath(["price"])]))]
///     request.groupBy = [["author"]]
///     for row in try context.values(request) { print(row["author"], row["total"]) }
///
/// Changes that are not saved do not count. Aggregates give what the same functions give in a filter: `count` counts
/// nothing as well, and an average takes it for 0, so leave it out with the filter if it should not be. A function of a
/// relationship to many, such as `count(books)`, gives a value for each row and makes no group.
public struct ValueRequest: Sendable {
    /// A column of the result.
    public struct Column: Sendable, Hashable {
        /// The name in the result.
        public var name: String
        /// What it gives; an aggregate function (`sum`, `min`, `max`, `average`, `count`, `median`, `stddev`) of a key
        /// path is one value for each group, and `count(SELF)` the number of its rows.
        public var expression: FilterExpression

        /// A column of a name.
        public init(_ name: String, _ expression: FilterExpression) {
            self.name = name
            self.expression = expression
        }

        /// The values under a key path, named after it.
        public static func key(_ path: String) -> Column {
            Column(path, .keyPath(path.split(separator: ".").map(String.init)))
        }
    }

    /// The name of the entity.
    public var entityName: String
    /// What the rows must pass; nil for all.
    public var filter: Filter?
    /// The columns; all attributes and relationships to one that the store keeps if there are none.
    public var columns: [Column] = []
    /// Whether equal rows come once.
    public var isDistinct = false
    /// Key paths whose values make a group.
    public var groupBy: [[String]] = []
    /// What a group must pass; its keys are the names of columns.
    public var having: Filter?
    /// The order, by names of columns or key paths; of groups and distinct rows, only by what is the same for all.
    public var sort: [SortKey] = []
    /// At most so many; 0 is all.
    public var limit = 0
    /// So many are left out at the start.
    public var offset = 0
    /// Whether objects of subentities count.
    public var includesSubentities = true
    /// The values of `$variables` in the filters.
    public var variables: [String: FilterValue] = [:]

    /// A request for the values of an entity.
    public init(entity name: String, where filter: Filter? = nil) {
        entityName = name
        self.filter = filter
    }
}
