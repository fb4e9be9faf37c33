/// How records become objects of an entity: its key, the paths of its properties, and what values may be.
///
///     var mapping = Mapping()
///     mapping.key = ["isbn"]
///     mapping["title"].paths = ["name"]
///     mapping["published"] = PropertyRule("dates.published", dates: ["dd.MM.yyyy"])
///     mapping.ignored = ["etag"]
///
/// A property without a rule takes the member of its name, or else of a name with the same words: `first_name`,
/// `FirstName` and `FIRST_NAME` are read into `firstName`.
public struct Mapping: Sendable, Hashable {
    /// The attributes that identify an object; nil for the uniqueness constraint of the entity.
    public var key: [String]?
    /// The rules by the names of properties.
    public var properties: [String: PropertyRule] = [:]
    /// The members that are left out without a word, as keys or paths.
    public var ignored: [RemoteKey] = []
    /// Whether a property without a path takes the member with the same words, if there is none of its name.
    public var infersNames = true
    /// Which values become those of an attribute.
    public var conversion = Conversion.strict
    /// What becomes of a value that does not fit.
    public var mismatch = Mismatch.reject
    /// How dates are written, for properties whose rules do not say: see ``PropertyRule/dates``.
    public var dates: [String] = []
    /// The attributes of an object that are set first, in this order, for hooks that look at what is set already.
    public var ordered: [String] = []

    /// A mapping by the names of properties.
    public init() {}

    /// The rule of a property.
    public subscript(property: String) -> PropertyRule {
        get { properties[property] ?? PropertyRule() }
        set { properties[property] = newValue }
    }

    /// Which values become those of an attribute.
    public enum Conversion: String, Sendable, Hashable, Codable {
        /// Only values of its type: a number in quotes is text.
        case strict
        /// As RZImport converts them: numbers and text into each other, words into truth values, seconds into dates.
        case lenient
    }

    /// What becomes of a value that does not fit.
    public enum Mismatch: String, Sendable, Hashable, Codable {
        /// The record is rejected.
        case reject
        /// The property keeps its value, or its default in a new object.
        case keep
        /// The property has no value.
        case null
    }
}
