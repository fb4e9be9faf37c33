import Foundation

/// JSON with a line for each member; numbers and text stay as they are.
enum JSONLayout {
    /// The text with line breaks and spaces; text that is no JSON, as a part of it, stays as it is.
    static func text(_ json: String) -> String {
        guard (try? JSONSerialization.jsonObject(with: Data(json.utf8), options: .fragmentsAllowed)) != nil else {
            return json
        }
        var (text, depth, isQuoted, isEscaped) = ("", 0, false, false)
        var wasOpened = false
        func newLine() { text += "\n" + String(repeating: "  ", count: min(depth, 40)) }
        for scalar in json.unicodeScalars {
            if isQuoted {
                text.unicodeScalars.append(scalar)
                if scalar == "\"", !isEscaped { isQuoted = false }
                isEscaped = scalar == "\\" && !isEscaped
                continue
            }
            if scalar == " " || scalar == "\n" || scalar == "\t" || scalar == "\r" { continue }
            let isClosed = scalar == "}" || scalar == "]"
            if isClosed {
                depth = max(0, depth - 1)
                if !wasOpened { newLine() }
            } else if wasOpened {
                newLine()
            }
            wasOpened = scalar == "{" || scalar == "["
            if wasOpened { depth += 1 }
            isQuoted = scalar == "\""
            text.unicodeScalars.append(scalar)
            if scalar == ":" { text += " " }
            if scalar == "," { newLine() }
        }
        return text
    }
}
