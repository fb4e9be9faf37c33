/// Text in a page.
enum HTML {
    /// Appends text so that a browser shows it as it is, in an element or an attribute with quotes.
    ///
    /// Control characters, which a browser may drop or refuse, are shown as their pictures: ␀ to ␟, and ␡.
    static func append(_ value: String, to text: inout String) {
        for scalar in value.unicodeScalars {
            switch scalar {
            case "&": text += "&amp;"
            case "<": text += "&lt;"
            case ">": text += "&gt;"
            case "\"": text += "&quot;"
            case "'": text += "&#39;"
            case "\n", "\t": text.unicodeScalars.append(scalar)
            case "\u{0}"..."\u{1F}": text.unicodeScalars.append(picture(0x2400 + scalar.value))
            case "\u{7F}": text.unicodeScalars.append("\u{2421}")
            case "\u{80}"..."\u{9F}", "\u{202A}"..."\u{202E}", "\u{2066}"..."\u{2069}", "\u{FFFE}", "\u{FFFF}":
                // They have no picture, are not allowed, or turn the direction of what follows.
                text.unicodeScalars.append("\u{FFFD}")
            default: text.unicodeScalars.append(scalar)
            }
        }
    }

    private static func picture(_ value: UInt32) -> Unicode.Scalar { Unicode.Scalar(value) ?? "\u{FFFD}" }
}
