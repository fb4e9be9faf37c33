/// Generates random JSON texts with blanks, escapes, all forms of numbers, nesting and duplicate keys.
public struct JSONGenerator {
    /// The source of random numbers.
    public var random: SeededGenerator

    /// Makes a generator that draws from `random`.
    public init(_ random: SeededGenerator) { self.random = random }

    /// A value of at most `depth` nested containers.
    public mutating func value(depth: Int = 4) -> String {
        switch random.below(depth > 0 ? 9 : 6) {
        case 0: return random.pick(["null", "true", "false"])
        case 1, 2: return number()
        case 3, 4, 5: return string()
        case 6: return array(depth: depth - 1)
        default: return object(depth: depth - 1)
        }
    }

    /// An object.
    public mutating func object(depth: Int) -> String {
        var keys: [String] = []
        for _ in 0..<random.below(5) {
            keys.append(!keys.isEmpty && random.once(in: 12) ? random.pick(keys) : string())
        }
        let members = keys.map { key in key + blank() + ":" + blank() + value(depth: depth) }
        return "{" + blank() + joined(members) + blank() + "}"
    }

    /// An array.
    public mutating func array(depth: Int) -> String {
        let elements = (0..<random.below(5)).map { _ in value(depth: depth) }
        return "[" + blank() + joined(elements) + blank() + "]"
    }

    private mutating func joined(_ items: [String]) -> String {
        var text = ""
        for (index, item) in items.enumerated() { text += (index > 0 ? blank() + "," + blank() : "") + item }
        return text
    }

    /// A number in any of its forms.
    public mutating func number() -> String {
        let sign = random.once(in: 3) ? "-" : ""
        let whole = random.pick([
            "0", "7", "42", "9007199254740993", "18446744073709551616", "123456789012345678901234567890",
        ])
        let fraction = random.pick(["", "", ".5", ".0", ".125", ".10000000000000000001"])
        let exponent = random.pick(["", "", "", "e3", "E-2", "e+10", "e0"])
        return sign + whole + fraction + exponent
    }

    /// A string with its quotes.
    public mutating func string() -> String {
        let parts = [
            "a", "bc", "key", " ", "é", "日本", "😀", "\\n", "\\\"", "\\\\", "\\/", "\\u0041", "\\u00e9", "\\ud83d\\ude00",
            "\\u0000", "{", "}", "[", "]", ",", ":", "\u{7F}", "\u{2028}", "null",
        ]
        return "\"" + (0..<random.below(6)).map { _ in random.pick(parts) }.joined() + "\""
    }

    private mutating func blank() -> String { random.pick(["", "", "", " ", "\n", "\t", "\r\n", "  "]) }
}
