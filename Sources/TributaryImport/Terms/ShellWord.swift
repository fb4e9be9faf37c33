/// Writes words so that a shell reads them as they are.
package enum ShellWord {
    /// The word, in quotes where it needs them.
    package static func quoted(_ word: String) -> String {
        let plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789@%_+=:,./-"
        if !word.isEmpty, word.allSatisfy(plain.contains) { return word }
        return "'" + word.replacing("'", with: "'\\''") + "'"
    }
}
