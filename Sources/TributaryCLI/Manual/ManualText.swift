/// Text for mdoc, the language of man pages.
enum ManualText {
    /// The text on lines of their own, each sentence on a new one, as mdoc wants it.
    static func sentences(_ text: String) -> String {
        var lines = [""]
        var endsSentence = false
        for word in text.split(whereSeparator: \.isWhitespace) {
            if endsSentence || lines[lines.count - 1].count > 100 { lines.append("") }
            lines[lines.count - 1] += (lines[lines.count - 1].isEmpty ? "" : " ") + escaped(word)
            endsSentence = word.contains(/[^.][.?!]['")\]]*$/)
        }
        return lines.map(line).joined(separator: "\n")
    }

    /// The text as arguments of a macro, none of which is taken for a macro or a delimiter itself.
    static func arguments(_ text: String) -> String {
        text.split(separator: " ").map { word in
            // A macro is two or three letters with small ones, a delimiter one sign.
            let mayBeMacro =
                word.count <= 3 && !word.allSatisfy { $0.isUppercase } && !(word.first?.isLowercase ?? false)
            return (mayBeMacro ? "\\&" : "") + escaped(word)
        }
        .joined(separator: " ")
    }

    /// The text as it is, in one line.
    static func literal(_ text: String) -> String { line(escaped(text[...])) }

    /// A line that is text, even if a control character begins it.
    private static func line(_ text: String) -> String { text.hasPrefix(".") ? "\\&" + text : text }

    /// The text without the characters that mdoc reads as something else, or prints as typographic ones.
    private static func escaped(_ text: Substring) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\": escaped += "\\e"
            case "-": escaped += "\\-"
            case "'": escaped += "\\(aq"
            case "`": escaped += "\\(ga"
            case "\"": escaped += "\\(dq"
            case "^": escaped += "\\(ha"
            case "~": escaped += "\\(ti"
            case " ", "!"..."~": escaped.unicodeScalars.append(scalar)
            default:
                let digits = String(scalar.value, radix: 16, uppercase: true)
                escaped += "\\[u\(String(repeating: "0", count: max(0, 4 - digits.count)))\(digits)]"
            }
        }
        return escaped
    }
}
