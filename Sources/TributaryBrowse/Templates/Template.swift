/// A file of HTML with places for values, in the language of Mustache.
///
///     <td>{{title}}</td>                          the value, escaped
///     {{#books}}<li>{{title}}</li>{{/books}}      once for each value of a list, or if a flag or text is there
///     {{^books}}<p>No books</p>{{/books}}         if there is none
///     {{>head}}                                   another file
///
/// Values are always escaped: there is no form that is not. A value in an attribute needs double quotes around it.
package struct Template: Sendable {
    private enum Part: Sendable {
        case markup(Substring)
        case value(String)
        case section(String, [Part], isInverted: Bool)
        case file(String)
    }

    private let parts: [Part]

    /// A template of a text.
    ///
    /// - Precondition: Sections are closed in their order: templates are a part of the program.
    package init(_ text: String) {
        var rest = text[...]
        parts = Template.parts(of: &rest, until: nil)
    }

    private static func parts(of text: inout Substring, until end: String?) -> [Part] {
        var parts: [Part] = []
        while let open = text.firstRange(of: "{{") {
            guard let close = text[open.upperBound...].firstRange(of: "}}") else { fatalError("a tag has no end") }
            if open.lowerBound > text.startIndex { parts.append(.markup(text[..<open.lowerBound])) }
            let tag = text[open.upperBound..<close.lowerBound]
            text = text[close.upperBound...]
            let name = String(tag.dropFirst())
            switch tag.first {
            case "#", "^":
                parts.append(.section(name, Template.parts(of: &text, until: name), isInverted: tag.first == "^"))
            case "/":
                precondition(name == end, "the section \(end ?? "-") ends as \(name)")
                return parts
            case ">": parts.append(.file(name))
            default: parts.append(.value(String(tag)))
            }
        }
        precondition(end == nil, "the section \(end ?? "-") has no end")
        if !text.isEmpty { parts.append(.markup(text)) }
        return parts
    }

    /// The text with values; `files` are the templates that it may include.
    package func text(_ values: PageValues, _ files: [String: Template] = [:]) -> String {
        var text = ""
        append(to: &text, [values], files)
        return text
    }

    private func append(to text: inout String, _ values: [PageValues], _ files: [String: Template]) {
        Template.append(parts, to: &text, values, files)
    }

    private static func append(
        _ parts: [Part], to text: inout String, _ values: [PageValues], _ files: [String: Template]
    ) {
        func value(_ name: String) -> PageValue? {
            for values in values.reversed() { if let value = values[name] { return value } }
            return nil
        }
        for part in parts {
            switch part {
            case .markup(let markup): text += markup
            case .value(let name):
                guard case .text(let value)? = value(name) else { continue }
                HTML.append(value, to: &text)
            case .file(let name):
                guard let file = files[name] else { fatalError("there is no template \(name)") }
                file.append(to: &text, values, files)
            case .section(let name, let inner, let isInverted):
                let shown: [PageValues] =
                    switch value(name) {
                    case .list(let items)?: items
                    case .flag(true)?: [[:]]
                    case .text(let text)? where !text.isEmpty: [[:]]
                    default: []
                    }
                if isInverted {
                    if shown.isEmpty { append(inner, to: &text, values, files) }
                } else {
                    for item in shown { append(inner, to: &text, values + [item], files) }
                }
            }
        }
    }
}
