/// A column of an entity's table.
struct ColumnLayout: Sendable, Hashable {
    /// How SQLite keeps the values.
    enum Storage: String, Sendable {
        case integer = "INTEGER"
        case real = "REAL"
        case text = "TEXT"
        case blob = "BLOB"
        /// Each value as it is.
        case any = ""
    }

    /// The name in the table.
    let name: String
    let storage: Storage
    /// The table that its values refer to, if the store keeps them from leading nowhere.
    var reference: String?
}

extension AttributeType {
    /// How a store keeps values of the type: readable with any tool.
    var storage: ColumnLayout.Storage {
        switch kind {
        case .integer16, .integer32, .integer64, .boolean: .integer
        case .double, .float, .date: .real
        case .decimal, .string, .uuid, .uri, .json: .text
        case .binary, .transformable, .objectID: .blob
        case .undefined: .any
        }
    }
}
