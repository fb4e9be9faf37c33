import TributaryImport

/// A command to type next, as text for a shell.
enum CommandText {
    /// The command line; operands that look like options come last, after `--`.
    static func line(_ command: String, _ operands: [String], _ options: [String] = []) -> String {
        let shown = operands.map(DatabaseName.shown)
        let needsSeparator = shown.contains { $0.hasPrefix("-") && $0 != "-" }
        let words = needsSeparator ? options + ["--"] + shown : shown + options
        return (["tributary", command] + words).map(ShellWord.quoted).joined(separator: " ")
    }
}
