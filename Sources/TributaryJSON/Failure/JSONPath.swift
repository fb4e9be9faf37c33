extension [PathStep] {
    /// The steps as text: `$.rows[3]["odd key"]`; safe to print.
    package var jsonPath: String {
        guard count > 40 else { return Self.text(of: self[...], behind: "$") }
        // Deep nesting is told by its ends.
        return Self.text(of: prefix(20), behind: "$") + Self.text(of: suffix(20), behind: "…")
    }

    private static func text(of steps: ArraySlice<PathStep>, behind start: String) -> String {
        steps.reduce(into: start) { text, step in
            switch step {
            case .index(let index): text += "[\(index)]"
            case .key(let key):
                text += key.isPlainName ? ".\(key)" : "[\"\(Excerpt.escape(key.clipped(to: 80)))\"]"
            }
        }
    }
}

extension String {
    /// Whether the name can stand in a path without quotes.
    package var isPlainName: Bool {
        guard let first = utf8.first, utf8.count <= 80 else { return false }
        func isWord(_ byte: UInt8) -> Bool {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"): true
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"): true
            default: false
            }
        }
        return utf8.allSatisfy(isWord) && !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains(first)
            && first != UInt8(ascii: "-")
    }

    fileprivate func clipped(to count: Int) -> String {
        unicodeScalars.count <= count ? self : String(String.UnicodeScalarView(unicodeScalars.prefix(count))) + "…"
    }
}
