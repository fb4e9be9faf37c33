import TributaryJSON

/// What is collected of the records of a dump.
struct ProfileOptions: Sendable {
    /// The paths at which the records are, if there are several.
    var places: [[PathProfile.Step]] = []
    /// The names of members that usually identify objects, also as MongoDB writes them.
    static let idNames = JSON.idNames + ["$oid", "$uuid"]

    /// The paths of other members that may identify objects.
    var keys: Set<[PathProfile.Step]> = []
    /// The folder of the file for hashes of keys.
    var folder: String
    /// The bytes of hashes of keys that are kept in memory.
    var keyBytes = 8 << 20
}
