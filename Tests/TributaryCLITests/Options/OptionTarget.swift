/// What a command writes into.
enum OptionTarget: String, CaseIterable, Codable, Sendable {
    /// A new database, whose columns are inferred.
    case new
    /// A table whose columns are inferred, without a key.
    case keyless
    /// The same with a key.
    case keyed
    /// A database with a model.
    case model
    /// A table of another program, with a primary key.
    case foreign
    /// A new database with tables of nested objects.
    case relations
    /// A new table of PostgreSQL.
    case server

    /// The words that each import for the target has.
    var words: [String] { self == .relations ? ["--relations"] : [] }

    /// The words of the import that makes its database, or its rejects.
    var firstWords: [String] {
        switch self {
        case .keyed: ["--key", "id"]
        case .model: ["--model", "model.xml"]
        case .new, .keyless, .foreign, .relations, .server: words
        }
    }

    /// Whether there is a database before the command.
    var exists: Bool { [.keyless, .keyed, .model, .foreign].contains(self) }
}
