/// Class methods that insert, fetch and delete the objects of a class in a context.
///
///     let cheap = try Book.fetch(in: context, where: "price < \(5)", sort: [SortKey("title")])
///     let author = try Author.findOrInsert(["id": 12], in: context)
///
/// Every class of managed objects conforms. With a ``ContextManager/default``, calls on the main actor may omit the
/// context.
public protocol ManagedRecord: ManagedObject {}

extension ManagedObject: ManagedRecord {}

extension ManagedRecord {
    /// Inserts an object.
    public static func insert(in context: ManagedObjectContext) -> Self { context.insert(Self.self) }

    /// The objects that pass a filter, sorted.
    ///
    /// - Throws: The errors of `ManagedObjectContext.fetch`.
    public static func fetch(
        in context: ManagedObjectContext, where filter: Filter? = nil, sort: [SortKey] = [], limit: Int? = nil,
        offset: Int = 0, batchSize: Int = 0
    ) throws -> [Self] {
        var request = FetchRequest<Self>(where: filter, sort: sort)
        request.limit = limit
        request.offset = offset
        request.batchSize = batchSize
        return try context.fetch(request)
    }

    /// All objects, sorted; by `defaultSort` if `sort` is nil.
    ///
    /// - Throws: The errors of `ManagedObjectContext.fetch`.
    public static func all(in context: ManagedObjectContext, sort: [SortKey]? = nil) throws -> [Self] {
        try fetch(in: context, sort: sort ?? defaultSort)
    }

    /// The first of the objects that pass a filter.
    ///
    /// - Throws: The errors of `ManagedObjectContext.fetch`.
    public static func first(
        in context: ManagedObjectContext, where filter: Filter? = nil, sort: [SortKey] = []
    ) throws -> Self? {
        try context.first(FetchRequest<Self>(where: filter, sort: sort))
    }

    /// The number of objects that pass a filter.
    ///
    /// - Throws: The errors of `ManagedObjectContext.count`.
    public static func count(in context: ManagedObjectContext, where filter: Filter? = nil) throws -> Int {
        try context.count(FetchRequest<Self>(where: filter))
    }

    /// The first object, in the order of insertion, whose attributes have these values.
    ///
    /// - Throws: The errors of `ManagedObjectContext.fetch`.
    public static func find(
        _ attributes: KeyValuePairs<String, (any FilterArgument)?>, in context: ManagedObjectContext
    ) throws -> Self? {
        try first(in: context, where: equal(attributes))
    }

    /// The first object whose attribute has a value: `Author.find(\.id, 12, in: context)`.
    ///
    /// - Throws: The errors of `ManagedObjectContext.fetch`.
    public static func find<Value: AttributeValue>(
        _ attribute: KeyPath<Self, Value>, _ value: Value, in context: ManagedObjectContext
    ) throws -> Self? {
        try first(in: context, where: attribute == value)
    }

    /// The first object whose attributes have these values, or a new one that has them.
    ///
    /// An existing object is not changed.
    ///
    /// - Throws: The errors of `ManagedObjectContext.fetch`, and `AttributeError` if a value does not fit.
    public static func findOrInsert(
        _ attributes: KeyValuePairs<String, (any FilterArgument)?>, in context: ManagedObjectContext
    ) throws -> Self {
        if let found = try find(attributes, in: context) { return found }
        let object = insert(in: context)
        do {
            for (name, value) in attributes { try object.setValue(FilterValue(value), forKey: name) }
        } catch {
            context.delete(object)
            throw error
        }
        return object
    }

    /// Marks all objects that pass a filter to be deleted by the next save; returns their number.
    ///
    /// - Throws: The errors of `ManagedObjectContext.fetch`.
    @discardableResult
    public static func deleteAll(in context: ManagedObjectContext, where filter: Filter? = nil) throws -> Int {
        let objects = try fetch(in: context, where: filter)
        for object in objects { context.delete(object) }
        return objects.count
    }

    private static func equal(_ attributes: KeyValuePairs<String, (any FilterArgument)?>) -> Filter {
        .and(attributes.map { Filter(.keyPath([$0.key]), .equal, .constant(FilterValue($0.value))) })
    }
}
