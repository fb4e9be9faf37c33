public import TributaryModel

/// How the values of a record become those of one property.
public struct PropertyRule: Sendable, Hashable, ExpressibleByStringLiteral {
    /// When a record sets the value of a property.
    public enum Policy: String, Sendable, Hashable, Codable {
        /// Each record that has the member sets it.
        case feed
        /// A record sets it in a new object only; after that it belongs to the program.
        case program
        /// As `feed`, also in the mode `replace`, which clears other properties.
        case keepMissing
        /// Each record in which the member is not null sets it.
        case keepNull
    }

    /// What becomes of the objects that a relationship leads to already.
    public enum Links: String, Sendable, Hashable, Codable {
        /// They are unlinked; those that cannot be without their owner are deleted.
        case replace
        /// They stay, and others are added.
        case merge
        /// They stay, and all objects of the record come after them, in its order.
        case append
    }

    /// The paths of the value, which add to the name of the property: the first one with a value counts.
    public var paths: [RemoteKey] = []
    /// Which values are converted; nil for the rule of the mapping.
    public var conversion: Mapping.Conversion?
    /// What becomes of a value that does not fit, as a bare key of another type; nil for the rule of the mapping.
    public var mismatch: Mapping.Mismatch?
    /// How a date is written: `iso8601`, `seconds`, `milliseconds`, `microseconds` (since 1970), or a pattern such as
    /// `dd.MM.yyyy HH:mm`; the first one that matches counts.
    public var dates: [String] = []
    /// The value of a new object whose record has none.
    public var defaultValue: ModelValue?
    /// When a record sets the value.
    public var policy = Policy.feed
    /// The attribute by which the newest record is known: an older record does not change this property.
    public var newest: String?

    /// For a relationship: the entity of its objects, if that is a subentity of its destination.
    public var entity: String?
    /// For a relationship: the attributes by which its objects are found or made; nil for their key.
    public var finder: [String]?
    /// For a relationship: what becomes of earlier links.
    public var links = Links.replace
    /// For a relationship: what becomes of bare keys of objects that are not there; nil for the setting of the import.
    ///
    /// In memory nothing waits: `wait` makes such a key an error.
    public var dangling: Mapping.Dangling?

    /// A rule with the path of the value.
    public init(_ paths: RemoteKey..., dates: [String] = []) {
        self.paths = paths
        self.dates = dates
    }

    /// A rule with the path of the value.
    public init(stringLiteral path: String) { paths = [RemoteKey(path)] }
}
