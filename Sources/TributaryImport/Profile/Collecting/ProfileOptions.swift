import TributaryJSON

/// What is collected of the records of a dump.
struct ProfileOptions: Sendable {
    /// Whether the values themselves are profiled, and not only their kinds and forms.
    var profilesValues = true
    /// Without values: whether a path is counted, and whether the objects there are examined inside.
    var counts: @Sendable ([PathProfile.Step]) -> (path: Bool, inside: Bool) = { _ in (true, true) }
    /// The paths at which the records are, if there are several.
    var places: [[PathProfile.Step]] = []
    /// The names of members that usually identify objects, also as MongoDB writes them.
    static let idNames = JSON.idNames + ["$oid", "$uuid"]

    /// The paths of other members that may identify objects.
    var keys: Set<[PathProfile.Step]> = []
    /// The folder of the file for hashes of keys.
    var folder = ""
    /// The bytes of hashes of keys that are kept in memory.
    var keyBytes = 8 << 20
}
