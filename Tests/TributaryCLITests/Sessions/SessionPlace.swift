/// Where the commands of a session find things.
struct SessionPlace {
    let tables: [SessionTable]
    let folder: String
    /// The file, or the address, of the database.
    let database: String
    /// The version of the model.
    var version = 1

    func path(_ name: String) -> String { folder.isEmpty ? name : "\(folder)/\(name)" }
}
