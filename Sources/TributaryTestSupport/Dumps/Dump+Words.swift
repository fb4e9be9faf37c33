extension Dump {
    private static let firstNames = [
        "Anna", "Bruno", "Chloé", "Elif", "Håkon", "Jürgen", "Kenji", "Lucía", "Søren", "Zoltán",
    ]
    private static let lastNames = [
        "Bianchi", "Castro", "García", "Ivanova", "Kowalski", "Müller", "O'Brien", "Tanaka",
    ]
    private static let vocabulary = [
        "river", "delta", "spring", "café", "na\\u00efve", "stone", "日本", "bridge", "😀", "mill", "\\\"quoted\\\"",
        "harbour",
        "tab\\there", "weir", "path\\\\dir", "estuary",
    ]

    func name(_ random: inout SeededGenerator) -> String {
        random.pick(Dump.firstNames) + " " + random.pick(Dump.lastNames)
    }

    func words(_ count: Int, _ random: inout SeededGenerator) -> String {
        var text = random.pick(Dump.vocabulary)
        for _ in 1..<max(1, count) { text += " " + random.pick(Dump.vocabulary) }
        return text
    }

    func hexadecimal(_ digits: Int, _ random: inout SeededGenerator) -> String {
        String((0..<digits).map { _ in random.pick(Array("0123456789abcdef")) })
    }

    func uuid(_ random: inout SeededGenerator) -> String {
        [8, 4, 4, 4, 12].map { hexadecimal($0, &random) }.joined(separator: "-")
    }

    func length(_ random: inout SeededGenerator) -> String {
        random.once(in: 6) ? "null" : "\(1000 + random.below(400_000))"
    }
}
