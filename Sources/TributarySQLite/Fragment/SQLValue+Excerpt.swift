extension SQLValue {
    /// The value for a message: a number, or the first characters of a text.
    package var excerpt: String {
        switch self {
        case .null: return "null"
        case .integer(let number): return "\(number)"
        case .real(let number): return "\(number)"
        case .blob(let bytes): return "\(bytes.count) bytes"
        case .text(let text):
            let shown = text.prefix(60)
            return "'\(shown)\(shown.endIndex < text.endIndex ? "…" : "")'"
        }
    }
}
