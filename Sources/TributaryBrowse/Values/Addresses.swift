import TributarySQLite

/// The addresses of lists and objects.
enum Addresses {
    /// The list of an entity or table.
    static func list(_ source: String, _ query: [(name: String, value: String)] = []) -> String {
        PageRequest.address(["e", source], query)
    }

    /// A row; nil if it has no key, or one too long for an address.
    static func row(_ source: String, _ key: SQLValue) -> String? {
        if key == .null { return nil }
        let text = ValueText.text(of: key)
        return text.utf8.count > 1000 ? nil : PageRequest.address(["e", source, text])
    }
}
