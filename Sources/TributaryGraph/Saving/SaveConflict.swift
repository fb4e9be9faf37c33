/// An object whose row somebody else has changed, or whose unique value somebody else has.
public struct SaveConflict: Sendable, CustomStringConvertible {
    /// The object that could not be saved; its context has it under this id.
    public internal(set) var objectID: ObjectID
    /// The version of the row that the object was loaded from; 0 for a new one.
    public let oldVersion: Int64
    /// The version of the row now; 0 if it is gone.
    public let newVersion: Int64
    /// The values as the object had them when it was loaded, by name.
    public let loadedValues: [String: FilterValue]
    /// The values of the row now, by name; nil if it is gone.
    public let storedValues: [String: FilterValue]?
    /// The properties whose values together are taken, if that is the trouble.
    public let uniqueProperties: [String]

    /// What happened, without values.
    public var description: String {
        let who = objectID.description
        if !uniqueProperties.isEmpty {
            return "\(who): another object has the same \(uniqueProperties.joined(separator: ", "))"
        }
        return storedValues == nil
            ? "\(who): its row was deleted meanwhile"
            : "\(who): its row was changed meanwhile (version \(oldVersion), now \(newVersion))"
    }
}
