public import TributaryGraph

/// A class whose objects are created, updated, kept or deleted by dictionaries.
///
///     extension Book: CRUDObject {
///         static func primaryFilter(for input: CRUDInput) -> Filter? { "isbn == \(input["isbn"] as String)" }
///         static var crudChildren: [CRUDChild] { [CRUDChild("pages")] }
///         func update(with input: CRUDInput) { title = input["title"] }
///         var invalidReason: String? { title == nil ? "it has no title" : nil }
///     }
///     try context.crud(Book.self, json: text) { book, state in … }
///
/// `update`, `shouldUpdate` and `didCRUD` have two forms; the one with the context calls the other by default. An error in
/// any of them ends the call, whose changes stay pending: roll back, or correct and save them. A subclass has the
/// conformance of its superclass, and overrides what is declared in the class itself.
public protocol CRUDObject: ManagedObject {
    /// The filter of the object of a dictionary; nil for a class with one object, `.never`, the default, to create one
    /// always.
    ///
    /// A filter that compares the attributes of a uniqueness constraint with values is fetched at once for all dictionaries
    /// of an array; any other needs a fetch for each. It may be asked for twice, the first time without live objects.
    static func primaryFilter(for input: CRUDInput) throws -> Filter?
    /// The relationships whose objects are handled together with an object; none by default.
    static var crudChildren: [CRUDChild] { get }
    /// Whether the log has lines about this class, if the manager is verbose; no by default.
    static var isVerbose: Bool { get }

    /// Sets the properties; does nothing by default.
    func update(with input: CRUDInput) throws
    /// Sets the properties, and may use the context.
    func update(with input: CRUDInput, in context: ManagedObjectContext) throws
    /// Whether an existing object is to be updated; yes by default.
    func shouldUpdate(with input: CRUDInput) throws -> Bool
    /// Whether an existing object is to be updated; may use the context.
    func shouldUpdate(with input: CRUDInput, in context: ManagedObjectContext) throws -> Bool
    /// Called when the object was marked as seen, or deleted, before the completion of the call.
    func didCRUD(_ state: CRUDState) throws
    /// Called when the object was marked as seen, or deleted; may use the context.
    func didCRUD(_ state: CRUDState, in context: ManagedObjectContext) throws
    /// Why the object is to be deleted; nil, the default, if it is valid.
    var invalidReason: String? { get }
    /// What identifies the object among those that were seen; the object ID by default.
    ///
    /// Other identifiers are compared as long as the context lives; the store has the keys of the marked objects only.
    var uniqueIdentifier: AnyHashable { get }
}

extension CRUDObject {
    /// Creates an object for each dictionary.
    public static func primaryFilter(for input: CRUDInput) throws -> Filter? { .never }

    /// No relationships.
    public static var crudChildren: [CRUDChild] { [] }

    /// No lines in the log.
    public static var isVerbose: Bool { false }

    /// Does nothing.
    public func update(with input: CRUDInput) throws {}

    /// Calls the form without the context.
    public func update(with input: CRUDInput, in context: ManagedObjectContext) throws { try update(with: input) }

    /// Yes.
    public func shouldUpdate(with input: CRUDInput) throws -> Bool { true }

    /// Calls the form without the context.
    public func shouldUpdate(with input: CRUDInput, in context: ManagedObjectContext) throws -> Bool {
        try shouldUpdate(with: input)
    }

    /// Does nothing.
    public func didCRUD(_ state: CRUDState) throws {}

    /// Calls the form without the context.
    public func didCRUD(_ state: CRUDState, in context: ManagedObjectContext) throws { try didCRUD(state) }

    /// Every object is valid.
    public var invalidReason: String? { nil }

    /// The object ID.
    public var uniqueIdentifier: AnyHashable { AnyHashable(objectID) }
}
