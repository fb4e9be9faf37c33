/// Text that SQLite takes for a number.
enum NumericText {
    /// Whether a numeric column of SQLite would store the number that the text spells.
    static func looksNumeric(_ text: String) -> Bool {
        func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
        let spelled = text.utf8.drop(while: isBlank)
        guard let end = spelled.lastIndex(where: { !isBlank($0) }) else { return false }
        // Swift reads hexadecimal numbers and names such as `nan` too.
        return spelled[...end].allSatisfy { "0123456789+-.eE".utf8.contains($0) }
            && Double(Substring(spelled[...end])) != nil
    }
}
