/// What the shapes of all places share: the keys that are stated for them, and the memory that they may take.
final class SurveyedPlaces {
    /// The most members of all shapes together, with 200 bytes of name each.
    static let maximumMembers = 40_000
    /// For some places the member that identifies their objects.
    let keys: [String: String]
    /// Whether typed values of Extended JSON are plain ones, and no objects.
    let unwrapsExtendedJSON: Bool
    /// Whether keys have values of one kind, as an attribute of a model needs them.
    let hasPlainKeys: Bool
    /// The number of members that can still be noted.
    @exclusivity(unchecked) var room = SurveyedPlaces.maximumMembers

    init(keys: [String: String] = [:], unwrapsExtendedJSON: Bool = false, hasPlainKeys: Bool = false) {
        (self.keys, self.unwrapsExtendedJSON, self.hasPlainKeys) = (keys, unwrapsExtendedJSON, hasPlainKeys)
    }
}
