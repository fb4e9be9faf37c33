/// What the shapes of all places share: the keys that are stated for them, and the memory that they may take.
final class SurveyedPlaces {
    /// The most members of all shapes together, with 200 bytes of name each.
    static let maximumMembers = 40_000
    /// For some places the member that identifies their objects.
    let keys: [String: String]
    /// Whether typed values of Extended JSON are plain ones, and no objects.
    let unwrapsExtendedJSON: Bool
    /// Why objects are known to be dictionaries.
    enum Dictionary {
        /// The caller has stated it.
        case stated
        /// The database has a table for the objects that are their values, or for values as they are.
        case ofObjects, ofValues
        /// The database has a column for the objects, or a table of which they are rows.
        case noDictionary
    }

    /// The places of objects that are known to be dictionaries.
    let dictionaries: [String: Dictionary]
    /// Whether keys have values of one kind, as an attribute of a model needs them.
    let hasPlainKeys: Bool
    /// The number of members that can still be noted.
    @exclusivity(unchecked) var room = SurveyedPlaces.maximumMembers

    init(
        keys: [String: String] = [:], dictionaries: [String: Dictionary] = [:], unwrapsExtendedJSON: Bool = false,
        hasPlainKeys: Bool = false
    ) {
        (self.keys, self.dictionaries) = (keys, dictionaries)
        (self.unwrapsExtendedJSON, self.hasPlainKeys) = (unwrapsExtendedJSON, hasPlainKeys)
    }
}
