public import TributaryGraph
public import TributaryJSON

/// Closures that an import calls for the objects of a class.
///
///     extension Person: Mapped {
///         static var importHooks: ImportHooks {
///             var hooks = ImportHooks()
///             hooks.shouldImport { (value, name, _: Person) in name != "zip" || value.compactText.count == 7 }
///             hooks.didImport { (value: JSON, person: Person) in person.isComplete = person.name != nil }
///             return hooks
///         }
///     }
///
/// A stream calls closures with a context one after the other, in the order of the records, and the others on several
/// threads: these use the value and the attributes of the object that they get, and nothing else. An error in a closure
/// rejects the record of a stream, and ends an import in memory.
public struct ImportHooks: Sendable {
    typealias Wanted = @Sendable (_ value: JSON, _ name: String, ManagedObject) throws -> Bool

    /// The value of an attribute in place of a value of JSON; nil for that of the mapping.
    public var convert: (@Sendable (_ value: JSON, _ attribute: String) throws -> FilterValue?)?
    /// Finds the object of a value otherwise than by its key; nil if there is none.
    public var find: (@Sendable (JSON, ManagedObjectContext) throws -> ManagedObject?)?
    /// Whether every value in memory makes a new object, also if there is one with its key.
    public var alwaysMakesNew = false
    var wanted: Wanted?
    var imported: (@Sendable (JSON, ManagedObject) throws -> Void)?
    var importedInContext: (@Sendable (JSON, ManagedObject, ManagedObjectContext) throws -> Void)?

    /// No closures.
    public init() {}

    /// Asks `body` whether a value is imported; a closure that has used the value itself says no.
    ///
    /// It is asked about every member of an object that is not ignored, also if no property has it or its value does not
    /// fit, and about a value at a path, under the name that the JSON text uses: `first_name`, or `profile.first_name`.
    /// Nothing inside of a member is made or looked up before. It may import a value itself:
    ///
    ///     hooks.shouldImport { (value, name, person: Person) in
    ///         guard name == "address", let context = person.context else { return true }
    ///         person.address = try context.import(value, as: Address.self).first
    ///         return false
    ///     }
    public mutating func shouldImport<Object: ManagedObject>(
        _ body: @escaping @Sendable (_ value: JSON, _ name: String, Object) throws -> Bool
    ) {
        wanted = { value, name, object in
            guard let object = object as? Object else { return true }
            return try body(value, name, object)
        }
    }

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
        wanted == nil && convert == nil && find == nil && !alwaysMakesNew && imported == nil
            && importedInContext == nil
    }

    /// Whether a closure takes the context.
    var takesContext: Bool { find != nil || importedInContext != nil }
}
