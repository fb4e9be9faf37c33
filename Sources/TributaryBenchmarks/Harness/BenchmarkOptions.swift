/// The words after the name of a benchmark.
struct BenchmarkOptions {
    /// The words that are not options.
    private(set) var names: [String] = []
    private(set) var rounds: Int
    private(set) var count = 1_000_000
    private(set) var isLarge = false
    private(set) var printsJSON = false
    private(set) var side: String?
    private(set) var server: String?

    /// Reads words, of which `allowed` are the options besides `--rounds` and `--count`.
    init(_ words: [String], rounds: Int = 5, allowing allowed: Set<String> = [], usage: String) throws {
        self.rounds = rounds
        var rest = words[...]
        while let word = rest.popFirst() {
            switch word {
            case "--rounds": self.rounds = try Self.number(rest.popFirst(), word)
            case "--count": count = try Self.number(rest.popFirst(), word)
            case _ where !word.hasPrefix("-"): names.append(word)
            case _ where !allowed.contains(word): throw Problem(usage)
            case "--large": isLarge = true
            case "--json": printsJSON = true
            case "--side": side = rest.popFirst() ?? ""
            default: server = rest.popFirst()
            }
        }
    }

    private static func number(_ text: String?, _ option: String) throws -> Int {
        guard let text, let number = Int(text), number > 0 else { throw Problem("\(option) takes a whole number") }
        return number
    }
}
