import TributaryPlatform

/// What the terminal of standard output can show.
struct TerminalText {
    /// The number of columns.
    let width: Int
    /// Whether only ASCII is shown.
    let isASCII: Bool
    /// Whether text may be bold or coloured.
    let hasStyles: Bool

    /// The width where no terminal tells one.
    private static let usualWidth = 100
    /// The widths for which a table is made.
    private static let widths = 40...1000

    /// What standard output can show.
    init() {
        let isTerminal = isatty(STDOUT_FILENO) == 1
        let isDumb = TerminalText.variable("TERM") == "dumb"
        isASCII = isDumb && isTerminal || !TerminalText.isUnicode
        hasStyles = isTerminal && !isDumb && TerminalText.variable("NO_COLOR") == nil
        width = TerminalText.columns(isTerminal)
    }

    init(width: Int, isASCII: Bool, hasStyles: Bool) {
        (self.width, self.isASCII, self.hasStyles) = (width, isASCII, hasStyles)
    }

    private static func variable(_ name: String) -> String? {
        getenv(name).map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
    }

    /// Whether the locale has Unicode; without any the output is taken for UTF-8.
    private static var isUnicode: Bool {
        guard let locale = variable("LC_ALL") ?? variable("LC_CTYPE") ?? variable("LANG") else { return true }
        let lower = locale.lowercased()
        return lower.contains("utf-8") || lower.contains("utf8") || lower == "c" || lower == "posix"
    }

    private static func columns(_ isTerminal: Bool) -> Int {
        var size = winsize()
        if isTerminal, ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 {
            return clamped(Int(size.ws_col))
        }
        return clamped(variable("COLUMNS").flatMap { Int($0) } ?? usualWidth)
    }

    private static func clamped(_ width: Int) -> Int {
        min(max(width, widths.lowerBound), widths.upperBound)
    }

    // MARK: Text

    /// The number of columns that text takes.
    static func width(_ text: String) -> Int { text.unicodeScalars.reduce(0) { $0 + width($1) } }

    private static func width(_ scalar: Unicode.Scalar) -> Int {
        switch scalar.value {
        case 0..<0x300: return 1
        case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F,
            0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1FAFF, 0x20000...0x3FFFD:
            return 2
        default:
            switch scalar.properties.generalCategory {
            case .nonspacingMark, .enclosingMark, .format: return 0
            default: return 1
            }
        }
    }

    /// Text with blanks up to a width, or cut to it.
    func fit(_ text: String, _ width: Int, isRight: Bool = false) -> String {
        let text = plain(text)
        let length = TerminalText.width(text)
        guard length > width else {
            let blanks = String(repeating: " ", count: width - length)
            return isRight ? blanks + text : text + blanks
        }
        let mark = isASCII ? "~" : "…"
        var (kept, used) = ("", 0)
        for scalar in text.unicodeScalars {
            let next = TerminalText.width(String(scalar))
            if used + next > width - 1 { break }
            kept.unicodeScalars.append(scalar)
            used += next
        }
        return kept + mark + String(repeating: " ", count: width - used - 1)
    }

    /// Text without characters that the terminal cannot show.
    func plain(_ text: String) -> String {
        guard isASCII else { return text }
        return text.unicodeScalars.reduce(into: "") { plain, scalar in
            switch scalar {
            case "·": plain += "|"
            case "–": plain += "-"
            case "…": plain += "..."
            case "×": plain += "x"
            case "→": plain += "->"
            default: plain += scalar.isASCII ? String(scalar) : "?"
            }
        }
    }

    /// Bars of different heights, one character each.
    func bars(_ counts: [Double]) -> String {
        guard let highest = counts.max(), highest > 0 else { return "" }
        let levels = Array(isASCII ? ".:-=+*%#" : "▁▂▃▄▅▆▇█")
        return String(
            counts.map { count in
                count <= 0
                    ? " " : levels[min(levels.count - 1, Int(count / highest * Double(levels.count) * 0.999_999))]
            })
    }

    /// Bold text, if there are styles.
    func bold(_ text: String) -> String { hasStyles ? "\u{1B}[1m\(text)\u{1B}[0m" : text }
}
