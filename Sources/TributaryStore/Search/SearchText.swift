/// What is typed to search for, as an expression of FTS5.
///
///     sea "old man" hem*   →   "sea" "old man" "hem"*
package enum SearchText {
    /// The expression that finds all words, and all phrases in quotes.
    ///
    /// An asterisk at the end stands for the rest of a word. Everything else is quoted too, and no operator.
    package static func expression(_ text: String) -> String {
        var terms: [String] = []
        var term = ""
        func end(isPrefix: Bool = false) {
            if !term.isEmpty { terms.append("\"\(term)\"" + (isPrefix ? "*" : "")) }
            term = ""
        }
        var isPhrase = false
        let scalars = Array(text.unicodeScalars)
        for (place, scalar) in scalars.enumerated() {
            let isBlank = scalar.properties.isWhitespace || scalar.value == 0
            let next = place + 1 < scalars.count ? scalars[place + 1] : " "
            if scalar == "\"" {
                if isPhrase { end(isPrefix: next == "*") } else { end() }
                isPhrase.toggle()
            } else if isPhrase {
                term.unicodeScalars.append(isBlank ? " " : scalar)
            } else if isBlank {
                end()
            } else if scalar == "*", next.properties.isWhitespace || next.value == 0 || next == "\"" {
                end(isPrefix: true)
            } else {
                term.unicodeScalars.append(scalar)
            }
        }
        end()
        return terms.joined(separator: " ")
    }
}
