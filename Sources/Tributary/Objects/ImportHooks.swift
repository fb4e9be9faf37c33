public import TributaryGraph
public import TributaryJSON

/// Closures that an import calls for the objects of a class.
///
///     extension Person: Mapped {
///         static var importHooks: ImportHooks {
///             var hooks = ImportHooks()
///             hooks.shouldImport = { value, property, _ in property != "zip" || value.compactText.count == 7 }
///             hooks.didImport { (value: JSON, person: Person) in person.isComplete = person.name != nil }
///             return hooks
///         }
///     }
///
/// A stream calls closures with a context one after the other, in the order of the records, and the others on several
/// threads: these use the value and the attributes of the object that they get, and nothing else. An error in a closure
/// rejects the record of a stream, and ends an import in memory.
public struct ImportHooks: Sendable {
    /// Whether the value of a property is imported; a closure that has used the value itself says no.
    public var shouldImport: (@Sendable (_ value: JSON, _ property: String, ManagedObject) throws -> Bool)?
    /// The value of an attribute in place of a value of JSON; nil for that of the mapping.
    public var convert: (@Sendable (_ value: JSON, _ attribute: String) throws -> FilterValue?)?
    /// Finds the object of a value otherwise than by its key; nil if there is none.
    public var find: (@Sendable (JSON, ManagedObjectContext) throws -> ManagedObject?)?
    /// Whether every value in memory makes a new object, also if there is one with its key.
    public var alwaysMakesNew = false
    var imported: (@Sendable (JSON, ManagedObject) throws -> Void)?
    var importedInContext: (@Sendable (JSON, ManagedObject, ManagedObjectContext) throws -> Void)?

    /// No closures.
    public init() {}

    /// Calls `body` after the import of each object, when its properties are set.
    public mutating func didImport<Object: ManagedObject>(_ body: @escaping @Sendable (JSON, Object) throws -> Void) {
        imported = { value, object in
            if let object = object as? Object { try body(value, object) }
        }
    }

    /// Calls `body` after the import of each object; it may find and make objects in the context.
    public mutating func didImport<Object: ManagedObject>(
        _ body: @escaping @Sendable (JSON, Object, ManagedObjectContext) throws -> Void
    ) {
        importedInContext = { value, object, context in
            if let object = object as? Object { try body(value, object, context) }
        }
    }

    /// Whether there are no closures.
    var isEmpty: Bool {
        shouldImport == nil && convert == nil && find == nil && !alwaysMakesNew && imported == nil
            && importedInContext == nil
    }

    /// Whether a closure takes the context.
    var takesContext: Bool { find != nil || importedInContext != nil }
}
