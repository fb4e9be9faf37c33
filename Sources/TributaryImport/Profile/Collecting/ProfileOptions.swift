import TributaryJSON

/// What is collected of the records of a dump.
struct ProfileOptions: Sendable {
    /// Whether the values themselves are profiled, and not only their kinds and keys.
    var profilesValues = true
    /// The paths at which the records are, if there are several.
    var places: [[PathProfile.Step]] = []
    /// Whether typed values of Extended JSON are plain ones, and no objects.
    var unwrapsExtendedJSON = false
    /// The members that may identify the objects at a path, given by the steps to it.
    var idNames: @Sendable ([PathProfile.Step]) -> [String] = { _ in JSON.idNames + ["$oid", "$uuid"] }
    /// The paths of other members that may identify objects.
    var keys: Set<[PathProfile.Step]> = []
    /// The folder of the file for hashes of keys.
    var folder: String
    /// The bytes of hashes of keys that are kept in memory.
    var keyBytes = 8 << 20
}
