import TributaryModel

/// A field of a query as it was written: `title`, `author.name`, `total=sum(price)`.
struct QueryField: Sendable {
    /// The name in the result.
    let name: String
    /// The attribute, path or expression.
    let text: String
    /// All of it.
    let whole: String

    /// The field of a text.
    init(_ whole: String) {
        self.whole = whole
        let parts = QueryField.parts(of: whole, at: "=")
        if parts.count == 2, parts.allSatisfy({ !$0.isEmpty }) {
            (name, text) = (parts[0], parts[1])
        } else {
            (name, text) = (whole, whole)
        }
    }

    /// Text divided at a character that is outside of quotes and brackets, without blanks around the parts.
    static func parts(of text: String, at separator: Character) -> [String] {
        var (parts, depth): ([String], Int) = ([""], 0)
        var quote: Character?
        var isEscaped = false
        for character in text {
            if let open = quote {
                if character == open, !isEscaped { quote = nil }
                isEscaped = character == "\\" && !isEscaped
            } else if character == "\"" || character == "'" {
                quote = character
            } else if "([{".contains(character) {
                depth += 1
            } else if ")]}".contains(character) {
                depth -= 1
            } else if character == separator, depth == 0 {
                parts.append("")
                continue
            }
            parts[parts.count - 1].append(character)
        }
        return parts.map { part in
            String(part.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
        }
    }
}
