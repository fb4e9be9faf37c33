import TributaryGraph
import TributaryImport
import TributaryJSON
import TributarySQLite

/// A value that becomes an object: what was read of it, and the object once it is found or made.
final class ObjectDraft {
    /// The value of an attribute.
    enum Value {
        /// It has no member for it.
        case missing
        /// The value as it is stored.
        case stored(SQLValue)
        /// A value that a closure has converted.
        case converted(FilterValue)
        /// A value that does not fit, which is an error unless the hook refuses it.
        case unfit(any Error)
    }

    /// The member of a property.
    struct Member {
        /// Its name, or its path.
        let path: [String]
        let value: JSON

        /// The name that hooks see.
        var name: String { path.joined(separator: ".") }
    }

    let unit: Int
    let json: JSON
    let record: Record
    /// The values of the key; nil for an object without one.
    var key: [SQLValue]?
    /// Whether it is a bare key.
    var isReference = false
    /// What becomes of a bare key whose object is not there; nil for the setting of the import.
    var dangling: Mapping.Dangling?
    /// For each attribute of the mapping its value.
    var values: [Value] = []
    /// For each relation of the mapping its objects; nil if the value says nothing about it.
    var relationValues: [[ObjectDraft]?] = []
    /// If the hook is asked, the member of each attribute and of each relation.
    var members: (attributes: [Member?], relations: [Member?]) = ([], [])
    /// The members that the hook has refused.
    var refused: Set<String> = []
    var object: ManagedObject?
    /// Whether the object is new.
    var isNew = false

    init(_ unit: Int, _ json: JSON, _ record: Record) {
        (self.unit, self.json, self.record) = (unit, json, record)
    }

    /// Asks a hook whether to import a member, which may be inside of a refused one.
    func mayImport(_ member: Member, _ hook: ImportHooks.Wanted, _ object: ManagedObject) throws -> Bool {
        if let first = member.path.first, refused.contains(first) { return false }
        // A value that the hook could not read as it tried to may be imported, or refused, nevertheless.
        defer { record.clearFailure() }
        return try hook(member.value, member.name, object)
    }
}
