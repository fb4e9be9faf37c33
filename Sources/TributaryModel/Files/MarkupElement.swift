/// An element of an XML file.
struct MarkupElement {
    let name: String
    let attributes: [String: String]
    /// The line of its start tag, from 1.
    let line: Int
    var children: [MarkupElement] = []
    var text = ""

    /// The children with a name.
    func children(_ name: String) -> [MarkupElement] { children.filter { $0.name == name } }

    /// The value of an attribute; nil if it is missing or empty.
    subscript(attribute: String) -> String? {
        attributes[attribute].flatMap { $0.isEmpty ? nil : $0 }
    }

    /// Whether an attribute is `YES`.
    func flag(_ attribute: String) -> Bool { attributes[attribute] == "YES" }
}
