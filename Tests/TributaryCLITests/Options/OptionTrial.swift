/// A command with some options, for one of the targets.
struct OptionTrial: Codable, Hashable, Sendable, CustomStringConvertible {
    let command: OptionSample.Command
    let target: OptionTarget
    let samples: [OptionSample]

    /// The words of the command; files that it writes have names that begin with `name`.
    func words(_ name: String, into database: String) -> [String] {
        var words = [command.rawValue, database]
        if command == .retry {
            if readsRejects { words.append("\(target.rawValue)-rejects") }
        } else {
            words += ["users.json"] + target.words
        }
        return words
            + samples.flatMap(\.words).map { ["CHANGES", "REJECTS"].contains($0) ? "\(name)-\($0.lowercased())" : $0 }
    }

    /// Whether an option is given, with any value or, as in `--mode update`, with this one.
    func has(_ option: String) -> Bool {
        samples.contains { $0.name == option || $0.description == option }
            || target.words.first == option && command != .retry
    }

    /// Whether all of the options are given.
    func has(all options: [String]) -> Bool { options.allSatisfy(has) }

    /// Whether one of the options is given.
    func has(any options: [String]) -> Bool { options.contains(where: has) }

    /// Whether a retry reads a file of rejects, and not those of the database.
    var readsRejects: Bool { !has("--run") }
    var hasModel: Bool { target == .model || has("--model") }
    var hasRelations: Bool { has("--relations") }
    /// Whether the rows go into a table that another program made.
    var isForeign: Bool { target == .foreign && !has("--model") }
    /// Whether records have a key: one that is named, of the model, or of the table.
    var hasKey: Bool { has("--key") || hasModel || target == .keyed || target == .foreign }

    var description: String { "\(command.rawValue), \(target): \(samples.map(\.description).joined(separator: " "))" }
}
