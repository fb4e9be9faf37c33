/// How records become objects of an entity: its key, the paths of its properties, and what values may be.
///
///     var mapping = Mapping()
///     mapping.key = ["isbn"]
///     mapping["title"].paths = ["name"]
///     mapping["published"] = PropertyRule("dates.published", dates: ["dd.MM.yyyy"])
///     mapping.ignored = ["etag"]
///
/// A property takes the member at the first path of its rule that has a value, or else that of its name, or of a name with
/// the same words: `first_name`, `FirstName` and `FIRST_NAME` are read into `firstName`.
public struct Mapping: Sendable, Hashable {
    /// The attributes that identify an object; nil for the uniqueness constraint of the entity.
    public var key: [String]?
    /// The rules by the names of properties.
    public var properties: [String: PropertyRule] = [:]
    /// The members that are never imported, as keys or paths, with all that is inside of them.
    public var ignored: [RemoteKey] = []
    /// Whether a property also takes the member of its name beside the paths of its rule, or one with the same words.
    ///
    /// If not, the paths of a rule replace the name of its property.
    public var infersNames = true
    /// Which values become those of an attribute.
    public var conversion = Conversion.strict
    /// What becomes of a value that does not fit.
    public var mismatch = Mismatch.reject
    /// How dates are written, for properties whose rules do not say: see ``PropertyRule/dates``.
    public var dates: [String] = []
    /// The attributes of an object that are set first, in this order, for hooks that look at what is set already.
    public var ordered: [String] = []

    /// Which values become columns of a table without a model, where these are not its members as they are: the typed
    /// values of Extended JSON, and the name of the source.
    package var shaping: ColumnShaping?

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

    /// What becomes of a reference to an object that is not there.
    public enum Dangling: String, Sendable, CaseIterable, Codable {
        /// It is kept in the store, and set by the import that brings its object.
        case wait
        /// An object with this key and nothing else is made.
        case stub
        /// It is forgotten, and the relationship stays empty.
        case null
    }
}
