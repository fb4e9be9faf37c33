import TributaryGraph
import TributaryJSON
import TributarySQLite

/// A value that becomes an object: what was read of it, and the object once it is found or made.
final class ObjectDraft {
    /// What a value says about one of its relations.
    enum Said {
        case nothing
        /// No object.
        case null
        case objects([ObjectDraft])
    }

    /// What a value says about an attribute.
    enum Value {
        /// It has no member for it.
        case missing
        /// The value as it is stored.
        case stored(SQLValue)
        /// A value that a closure has converted.
        case converted(FilterValue)
    }

    let unit: Int
    let json: JSON
    let record: Record
    /// The values of the key; nil for an object without one.
    var key: [SQLValue]?
    /// Whether it is a bare key.
    var isReference = false
    /// What it says about each attribute of the mapping.
    var values: [Value] = []
    /// What it says about each relation of the mapping.
    var said: [Said] = []
    var object: ManagedObject?
    /// Whether the object is new.
    var isNew = false

    init(_ unit: Int, _ json: JSON, _ record: Record) {
        (self.unit, self.json, self.record) = (unit, json, record)
    }
}
