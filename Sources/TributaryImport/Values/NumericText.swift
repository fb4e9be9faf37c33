/// Text that SQLite takes for a number.
enum NumericText {
    /// Whether a numeric column of SQLite would store the number that the text spells.
    static func looksNumeric(_ text: String) -> Bool {
        var rest = text.utf8[...]
        let blanks: [UInt8] = [0x20, 0x09, 0x0A, 0x0B, 0x0C, 0x0D]
        rest = rest.drop(while: blanks.contains)
        while let last = rest.last, blanks.contains(last) { rest = rest.dropLast() }
        if let sign = rest.first, "+-".utf8.contains(sign) { rest = rest.dropFirst() }
        let whole = rest.prefix(while: isDigit).count
        rest = rest.dropFirst(whole)
        var fraction = 0
        if rest.first == UInt8(ascii: ".") {
            rest = rest.dropFirst()
            fraction = rest.prefix(while: isDigit).count
            rest = rest.dropFirst(fraction)
        }
        guard whole + fraction > 0 else { return false }
        if let letter = rest.first, letter | 0x20 == UInt8(ascii: "e") {
            rest = rest.dropFirst()
            if let sign = rest.first, "+-".utf8.contains(sign) { rest = rest.dropFirst() }
            let digits = rest.prefix(while: isDigit).count
            guard digits > 0 else { return false }
            rest = rest.dropFirst(digits)
        }
        return rest.isEmpty
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
}
