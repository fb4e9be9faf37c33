import TributaryHTTP
import TributaryImport
import TributaryPostgres

/// Recognises a command line whose database is not its first word, and writes it as it should be.
enum DatabaseFirst {
    /// The names of options that other programs, and other commands, give a database.
    private static let options = ["--into", "--db", "--database"]

    /// The command line with the value of such an option as its first word; nil if it has none, or if the database is
    /// no operand of the command.
    static func line(for words: [String], _ command: CommandSpec) -> String? {
        guard command.takesDatabase else { return nil }
        var rest = words.prefix { $0 != "--" }
        let after = words.dropFirst(rest.count)
        guard
            let place = rest.firstIndex(where: { word in
                options.contains { word == $0 || word.hasPrefix($0 + "=") }
            })
        else { return nil }
        var database = "DB"
        let parts = rest[place].split(separator: "=", maxSplits: 1)
        if parts.count == 2 {
            database = String(parts[1])
        } else if place + 1 < rest.endIndex {
            database = rest.remove(at: place + 1)
        }
        rest.remove(at: place)
        // Options follow, so no -- can be before a name that looks like one.
        if database.hasPrefix("-") { database = "./" + database }
        return (["tributary", command.name] + ([database] + rest + after).map(DatabaseName.shown))
            .map(ShellWord.quoted).joined(separator: " ")
    }

    /// The command line for operands whose first one is no database by its name; nil if it may be one.
    static func line(for parsed: ParsedOptions) -> String? {
        guard let first = parsed.operands.first, isInput(first) else { return nil }
        let others = parsed.others
        let place = others.firstIndex { isDatabase($0) }
        let stem = first == "-" ? nil : EntityName.stem(of: first)
        let database = place.map { others[$0] } ?? stem.map { $0 + ".sqlite" } ?? "DB"
        var rest = [first] + others
        if let place { rest.remove(at: place + 1) }
        return parsed.line(operands: [database] + rest)
    }

    /// Whether a word names JSON that is read: standard input, an address, or a file with such a name.
    static func isInput(_ word: String) -> Bool {
        word == "-" || WebAddress.isAddress(word) || ArchiveMembers.isJSON(word) || ArchiveMembers.isArchive(word)
    }

    /// Whether a word names a database by its end, or is the address of one.
    private static func isDatabase(_ word: String) -> Bool {
        [".sqlite", ".sqlite3", ".db"].contains(where: word.hasSuffix) || PostgresAddress.isAddress(word)
    }
}
