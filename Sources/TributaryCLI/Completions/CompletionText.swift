/// Text for the scripts of shells.
enum CompletionText {
    /// Words on lines of about a hundred characters.
    static func lines(_ words: [String], separator: String = " ") -> [String] {
        var lines: [String] = []
        for word in words {
            if let last = lines.last, last.count + word.count < 96 {
                lines[lines.count - 1] += separator + word
            } else {
                lines.append(word)
            }
        }
        return lines
    }

    /// The text with a backslash before each of these characters.
    static func escaped(_ text: String, _ characters: String) -> String {
        text.map { characters.contains($0) ? "\\\($0)" : "\($0)" }.joined()
    }

    /// The text in single quotes, for bash and zsh.
    static func quoted(_ text: String) -> String { "'\(text.replacing("'", with: "'\\''"))'" }
}
