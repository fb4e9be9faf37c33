/// An order of names in which numbers count by their value: `Library 2` comes before `Library 10`.
enum NaturalOrder {
    static func precedes(_ one: String, _ other: String) -> Bool {
        let (left, right) = (parts(one), parts(other))
        for (a, b) in zip(left, right) where a != b {
            if let first = Int(a), let second = Int(b), first != second { return first < second }
            return a < b
        }
        return left.count == right.count ? one < other : left.count < right.count
    }

    /// The runs of digits and of other characters.
    private static func parts(_ text: String) -> [String] {
        var parts: [String] = []
        var wasDigit = false
        for character in text {
            let isDigit = ("0"..."9").contains(character)
            if parts.isEmpty || isDigit != wasDigit { parts.append("") }
            parts[parts.count - 1].append(character)
            wasDigit = isDigit
        }
        return parts
    }
}
