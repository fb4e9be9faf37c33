/// An element of an XML file.
struct MarkupElement {
    let name: String
    let attributes: [String: String]
    /// Where it starts, from 1.
    let line: Int
    var children: [MarkupElement] = []
    var text = ""

    /// The children of a name.
    func children(_ name: String) -> [MarkupElement] { children.filter { $0.name == name } }

    /// The value of an attribute; nil if it is missing or empty.
    subscript(attribute: String) -> String? {
        attributes[attribute].flatMap { $0.isEmpty ? nil : $0 }
    }

    /// Whether an attribute says YES.
    func flag(_ attribute: String) -> Bool { attributes[attribute] == "YES" }
}
