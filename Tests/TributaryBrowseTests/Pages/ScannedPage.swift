import Foundation

/// A page whose HTML was read strictly: known tags and attributes, quotes around values, each element closed.
struct ScannedPage {
    /// What is not as a page must be.
    struct Fault: Error, CustomStringConvertible {
        let description: String
    }

    /// An element with its attributes, the text in it and its place among the elements.
    struct Element {
        var name: String
        var attributes: [String: String]
        var text = ""
    }

    /// All elements in the order of their ends.
    private(set) var elements: [Element] = []

    private static let void: Set = ["meta", "link", "input", "br", "hr"]
    private static let svg: Set = [
        "svg", "path", "rect", "line", "polyline", "polygon", "g", "title", "text", "circle",
    ]
    private static let tags: Set = void.union(svg).union([
        "html", "head", "body", "script", "a", "header", "span", "form", "label", "kbd", "div", "nav", "ul", "li", "h1",
        "h2", "main", "footer", "section", "p", "code", "table", "caption", "thead", "tbody", "tr", "th", "td",
        "details", "aside", "h3", "ol", "progress", "small", "strong", "time",
        "summary", "fieldset", "legend", "button", "pre", "q", "figure", "figcaption", "dl", "dt", "dd",
    ])
    private static let attributes: Set = [
        "lang", "charset", "name", "content", "rel", "href", "src", "defer", "class", "width", "height", "viewBox",
        "fill",
        "stroke", "stroke-width", "stroke-linecap", "d", "role", "action", "for", "id", "type", "value", "placeholder",
        "autocomplete", "autocapitalize", "spellcheck", "tabindex", "scope", "title", "checked", "x", "y",
        "preserveAspectRatio",
        "points", "vector-effect", "max", "datetime", "http-equiv",
    ]

    /// Reads a page.
    init(_ html: String) throws {
        // By scalars, since a combining mark at the beginning of a text is one character with the mark-up before it.
        var rest = html.unicodeScalars[...]
        var open: [Element] = []
        guard rest.starts(with: "<!doctype html>\n".unicodeScalars) else { throw Fault(description: "no doctype") }
        rest = rest.dropFirst(16)
        while !rest.isEmpty {
            guard rest.first == "<" else {
                let text = rest.prefix { $0 != "<" }
                for index in open.indices { open[index].text += try ScannedPage.unescaped(text) }
                rest = rest[text.endIndex...]
                continue
            }
            rest.removeFirst()
            if rest.first == "/" {
                let name = rest.dropFirst().prefix { $0 != ">" }
                rest = rest[name.endIndex...].dropFirst()
                guard let last = open.popLast(), last.name == String(name) else {
                    throw Fault(description: "</\(String(name))> closes \(open.map(\.name))")
                }
                elements.append(last)
                continue
            }
            let element = try ScannedPage.element(&rest)
            if ScannedPage.void.contains(element.name.name) || element.isClosed {
                elements.append(element.name)
            } else {
                open.append(element.name)
            }
        }
        guard open.isEmpty else { throw Fault(description: "open: \(open.map(\.name))") }
    }

    private static func element(_ rest: inout Substring.UnicodeScalarView) throws -> (name: Element, isClosed: Bool) {
        let name = String(rest.prefix { $0.properties.isAlphabetic || ("0"..."9").contains($0) })
        guard tags.contains(name) else { throw Fault(description: "the tag <\(String(rest.prefix(40)))") }
        rest = rest.dropFirst(name.count)
        var element = Element(name: name, attributes: [:])
        while true {
            if rest.first == ">" || rest.starts(with: "/>".unicodeScalars) {
                let isClosed = rest.first == "/"
                rest = rest.dropFirst(isClosed ? 2 : 1)
                return (element, isClosed)
            }
            guard rest.first == " " else { throw Fault(description: "in <\(name): \(String(rest.prefix(40)))") }
            rest.removeFirst()
            let attribute = String(rest.prefix { $0.properties.isAlphabetic || $0 == "-" })
            guard attributes.contains(attribute) || attribute.hasPrefix("aria-") || attribute.hasPrefix("data-"),
                element.attributes[attribute] == nil
            else { throw Fault(description: "the attribute \(attribute) of <\(name) \(String(rest.prefix(40)))") }
            rest = rest.dropFirst(attribute.count)
            var value = ""
            if rest.starts(with: "=\"".unicodeScalars) {
                rest = rest.dropFirst(2)
                let text = rest.prefix { $0 != "\"" }
                value = try unescaped(text)
                rest = rest[text.endIndex...].dropFirst()
            }
            element.attributes[attribute] = value
        }
    }

    private static func unescaped(_ text: Substring.UnicodeScalarView) throws -> String {
        guard !text.contains("<"), !text.contains(">") else {
            throw Fault(description: "markup in \(String(text.prefix(40)))")
        }
        var result = String.UnicodeScalarView()
        var rest = text
        while let index = rest.firstIndex(of: "&") {
            result += rest[..<index]
            let name = rest[index...].prefix { $0 != ";" }
            let escapes: [String: Unicode.Scalar] = ["&amp": "&", "&lt": "<", "&gt": ">", "&quot": "\"", "&#39": "'"]
            guard let scalar = escapes[String(name)] else {
                throw Fault(description: "the escape \(String(name.prefix(10)))")
            }
            result.append(scalar)
            rest = rest[name.endIndex...].dropFirst()
        }
        return String(result + rest)
    }

    // MARK: Content

    /// The elements with a name.
    func all(_ name: String) -> [Element] { elements.filter { $0.name == name } }

    /// The text of the element of a class.
    func text(ofClass name: String) -> String? { elements.first { $0.attributes["class"] == name }?.text }

    /// The addresses of all links, and of the forms as they are sent.
    var addresses: [String] { all("a").compactMap { $0.attributes["href"] }.filter { !$0.hasPrefix("#") } }

    /// The address of a link to another page, such as `next`.
    func address(_ relation: String) -> String? {
        all("a").first { $0.attributes["rel"] == relation }?.attributes["href"]
    }

    /// The cells of each row of a table, the first one being its head.
    var rows: [[String]] {
        var rows: [[String]] = []
        var cells: [String] = []
        for element in elements {
            switch element.name {
            case "th", "td": cells.append(element.text)
            case "tr":
                rows.append(cells)
                cells = []
            default: break
            }
        }
        return rows
    }

    /// The addresses of the rows of a list.
    var rowAddresses: [String] {
        var found: [String] = []
        var last: String?
        for element in elements {
            if element.name == "a" { last = element.attributes["href"] }
            if element.name == "th", element.attributes["scope"] == "row", let last { found.append(last) }
        }
        return found
    }
}
