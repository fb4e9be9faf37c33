/// The spellings of a name that are taken for the same: with the same words, joined in another way.
///
///     firstName → first_name, FirstName, First_Name, FIRST_NAME, firstname, FIRSTNAME, first-name
enum NameVariants {
    /// All spellings but the name itself.
    static func spellings(of name: String) -> [String] {
        let words = words(of: name)
        guard !words.isEmpty else { return [] }
        let lower = words.map { $0.lowercased() }
        let capital = lower.map { $0.prefix(1).uppercased() + $0.dropFirst() }
        let camel = lower[0] + capital.dropFirst().joined()
        let spellings = [
            lower.joined(separator: "_"), camel, capital.joined(), capital.joined(separator: "_"),
            lower.joined(separator: "_").uppercased(), lower.joined(), lower.joined().uppercased(),
            lower.joined(separator: "-"),
        ]
        return spellings.reduce(into: []) { if $1 != name, !$0.contains($1) { $0.append($1) } }
    }

    /// The words of a name: `imageURL`, `image_url` and `ImageUrl` have `image` and `url`.
    private static func words(of name: String) -> [String] {
        var words: [String] = []
        var word = ""
        let letters = Array(name)
        for (index, letter) in letters.enumerated() {
            guard letter != "_", letter != "-" else {
                if !word.isEmpty { words.append(word) }
                word = ""
                continue
            }
            let beginsWord =
                letter.isUppercase && index > 0
                && (letters[index - 1].isLowercase || letters[index - 1].isNumber
                    || index + 1 < letters.count && letters[index + 1].isLowercase && letters[index - 1].isUppercase)
            if beginsWord, !word.isEmpty {
                words.append(word)
                word = ""
            }
            word.append(letter)
        }
        if !word.isEmpty { words.append(word) }
        return words
    }
}
