/// What a trial has answered, and what it has left.
struct OptionOutcome: Codable, Sendable {
    /// The state of the database after the command.
    enum State: String, Codable, Sendable {
        case absent, unchanged, changed
    }

    var code: Int32
    var output: String
    var error: String
    var database = State.absent
    /// The rows of the table, without columns of the store and null; nil if there is no table.
    var rows: [String]?
    /// What the checks of the database found; empty if it is whole.
    var damage: [String] = []
    /// The ends of the names of files beside the database.
    var files: [String] = []
}
