import TributaryJSON

extension JSON {
    /// The names of members that identify an object, the likeliest first.
    package static let idNames = ["id", "_id", "uuid", "guid", "ID", "Id"]

    /// Whether an object has a member that usually identifies it.
    var hasID: Bool {
        members.contains { name, value in
            JSON.idNames.contains(name) && (value.kind == .number || value.kind == .string)
        }
    }
}
