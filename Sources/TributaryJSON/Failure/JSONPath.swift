extension [PathStep] {
    /// The steps as text, as in `$.rows[3]["odd key"]`, which is safe to print.
    package var jsonPath: String {
        guard count > 40 else { return Self.text(of: self[...], after: "$") }
        // A deep path is shown by its two ends.
        return Self.text(of: prefix(20), after: "$") + Self.text(of: suffix(20), after: "…")
    }

    private static func text(of steps: ArraySlice<PathStep>, after start: String) -> String {
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
    /// Whether the name needs no quotes in a path.
    package var isPlainName: Bool {
        guard let first = utf8.first, utf8.count <= 80 else { return false }
        return !first.isDigit && first != UInt8(ascii: "-")
            && utf8.allSatisfy { $0.isLetter || $0.isDigit || $0 == UInt8(ascii: "_") || $0 == UInt8(ascii: "-") }
    }

    fileprivate func clipped(to count: Int) -> String {
        unicodeScalars.count <= count ? self : String(String.UnicodeScalarView(unicodeScalars.prefix(count))) + "…"
    }
}
