/// What the shapes of all places share: the keys that are stated for them, and the memory that they may take.
final class SurveyedPlaces {
    /// The most members of all shapes together, with 200 bytes of name each.
    static let maximumMembers = 40_000
    /// For some places the member that identifies their objects.
    let keys: [String: String]
    /// Whether typed values of Extended JSON are plain ones, and no objects.
    let unwrapsExtendedJSON: Bool
    /// The number of members that can still be noted.
    @exclusivity(unchecked) var room = SurveyedPlaces.maximumMembers

    init(keys: [String: String] = [:], unwrapsExtendedJSON: Bool = false) {
        (self.keys, self.unwrapsExtendedJSON) = (keys, unwrapsExtendedJSON)
    }
}
