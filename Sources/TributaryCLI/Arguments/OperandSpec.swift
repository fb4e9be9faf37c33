/// An operand of a command, as its usage line has it: `DB`, `[TABLE]`, `FILE...`, `bash|zsh|fish`.
package struct OperandSpec: Sendable {
    /// Its name, without brackets and dots.
    package let name: String
    /// Whether there can be several.
    package let isRepeatable: Bool
    package let completion: Completion

    init(_ text: String) {
        let name = text.filter { !"[].".contains($0) }
        let parts = name.split(separator: "|").map(String.init)
        self.name = name
        isRepeatable = text.contains("...")
        completion =
            if parts.contains(where: ["DB", "FILE", "MODEL", "SEED", "REJECTS"].contains) {
                .files
            } else if name == "COMMAND" {
                .commands
            } else {
                // Words in small letters stand for themselves.
                name == name.lowercased() ? .words(parts) : .nothing
            }
    }
}
