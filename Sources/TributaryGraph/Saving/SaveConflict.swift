/// An object whose row was changed by another context or process, or whose unique value another row has.
public struct SaveConflict: Sendable, CustomStringConvertible {
    /// The ID under which the context has the object that could not be saved.
    public internal(set) var objectID: ObjectID
    /// The version of the row that the object was loaded from; 0 for a new one.
    public let oldVersion: Int64
    /// The current version of the row; 0 if it was deleted.
    public let newVersion: Int64
    /// The values that the object had when it was loaded, by name.
    public let loadedValues: [String: FilterValue]
    /// The current values of the row, by name; nil if it was deleted.
    public let storedValues: [String: FilterValue]?
    /// The properties of the violated uniqueness constraint; empty for other conflicts.
    public let uniqueProperties: [String]

    /// What happened to the object, without values.
    public var description: String {
        let name = objectID.isTemporary ? "a new object of \(objectID.entity.name)" : objectID.description
        if !uniqueProperties.isEmpty {
            return "\(name): another object has the same \(uniqueProperties.joined(separator: ", "))"
        }
        return storedValues == nil
            ? "\(name): its row was deleted since it was loaded"
            : "\(name): its row was changed since it was loaded (version \(oldVersion), now \(newVersion))"
    }
}
