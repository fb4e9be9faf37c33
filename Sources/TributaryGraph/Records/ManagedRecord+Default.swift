/// The methods of ``ManagedRecord`` for the main context of ``ContextManager/default``.
@MainActor
extension ManagedRecord {
    /// Inserts an object in the main context of the default manager; traps if there is no default manager.
    public static func insert() -> Self {
        guard let manager = ContextManager.default else {
            fatalError("\(ContextManager.noDefault.description)")
        }
        return insert(in: manager.mainContext)
    }

    /// The objects that pass a filter, sorted.
    ///
    /// - Throws: `ContextError` if there is no default manager, and as `ManagedObjectContext.fetch`.
    public static func fetch(
        where filter: Filter? = nil, sort: [SortKey] = [], limit: Int? = nil, offset: Int = 0
    ) throws -> [Self] {
        try fetch(in: ContextManager.defaultContext(), where: filter, sort: sort, limit: limit, offset: offset)
    }

    /// All objects, sorted; by `defaultSort` if `sort` is nil.
    ///
    /// - Throws: `ContextError` if there is no default manager, and as `ManagedObjectContext.fetch`.
    public static func all(sort: [SortKey]? = nil) throws -> [Self] {
        try all(in: ContextManager.defaultContext(), sort: sort)
    }

    /// The first of the objects that pass a filter.
    ///
    /// - Throws: `ContextError` if there is no default manager, and as `ManagedObjectContext.fetch`.
    public static func first(where filter: Filter? = nil, sort: [SortKey] = []) throws -> Self? {
        try first(in: ContextManager.defaultContext(), where: filter, sort: sort)
    }

    /// The number of objects that pass a filter.
    ///
    /// - Throws: `ContextError` if there is no default manager, and as `ManagedObjectContext.count`.
    public static func count(where filter: Filter? = nil) throws -> Int {
        try count(in: ContextManager.defaultContext(), where: filter)
    }

    /// The first object whose attributes have these values.
    ///
    /// - Throws: `ContextError` if there is no default manager, and as `ManagedObjectContext.fetch`.
    public static func find(_ attributes: KeyValuePairs<String, (any FilterArgument)?>) throws -> Self? {
        try find(attributes, in: ContextManager.defaultContext())
    }

    /// The first object whose attributes have these values, or a new one that has them.
    ///
    /// - Throws: `ContextError` if there is no default manager, and as `findOrInsert(_:in:)`.
    public static func findOrInsert(_ attributes: KeyValuePairs<String, (any FilterArgument)?>) throws -> Self {
        try findOrInsert(attributes, in: ContextManager.defaultContext())
    }

    /// Marks all objects that pass a filter to be deleted by the next save; returns their number.
    ///
    /// - Throws: `ContextError` if there is no default manager, and as `ManagedObjectContext.fetch`.
    @discardableResult
    public static func deleteAll(where filter: Filter? = nil) throws -> Int {
        try deleteAll(in: ContextManager.defaultContext(), where: filter)
    }
}
