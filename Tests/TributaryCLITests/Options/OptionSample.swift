/// An option of a command with a value that it may have.
struct OptionSample: Codable, Hashable, Sendable, CustomStringConvertible {
    /// The commands that take options about records.
    enum Command: String, Codable, CaseIterable, Sendable {
        case load = "import"
        case sync, retry
    }

    /// What an option changes in a run whose records are all well-formed.
    enum Effect: String, Codable, Sendable {
        /// Nothing but pace and output.
        case none
        /// Not the rows either, but for the journal the import is another one.
        case identity
        /// Rows, counts, rejects or files.
        case result
    }

    /// The option and its value.
    let words: [String]
    let commands: [Command]
    let effect: Effect

    /// The option without its value.
    var name: String { String(words[0].prefix { $0 != "=" }) }

    var description: String { words.joined(separator: " ") }
}
