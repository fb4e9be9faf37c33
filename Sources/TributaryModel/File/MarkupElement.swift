/// An element of an XML file.
struct MarkupElement {
    let name: String
    let attributes: [String: String]
    /// The line of its start tag, from 1.
    let line: Int
    var children: [MarkupElement] = []

    func children(_ name: String) -> [MarkupElement] { children.filter { $0.name == name } }

    /// The value of an attribute; nil if it is missing or empty.
    subscript(attribute: String) -> String? {
        attributes[attribute].flatMap { $0.isEmpty ? nil : $0 }
    }

    func flag(_ attribute: String) -> Bool { attributes[attribute] == "YES" }

    /// The custom entries of a part of a model; the last one of duplicate keys.
    var userInfo: [String: String] {
        let entries = children("userInfo").flatMap { $0.children("entry") }.map(\.attributes)
        let pairs = entries.compactMap { entry in entry["key"].map { ($0, entry["value"] ?? "") } }
        return Dictionary(pairs) { _, last in last }
    }
}
