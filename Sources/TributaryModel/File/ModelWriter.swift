/// Writes a model description as the XML of a model file.
package struct ModelWriter {
    private var lines = ["<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>"]
    private var depth = 0

    private init() {}

    /// The XML with a line feed at the end.
    package static func write(_ model: ModelDescription) -> String {
        var writer = ModelWriter()
        let attributes = [
            ("type", "com.apple.IDECoreDataModeler.DataModel"), ("documentVersion", "1.0"),
            ("userDefinedModelVersionIdentifier", model.versionIdentifiers.joined(separator: ",")),
        ]
        writer.element("model", attributes) { writer in
            for entity in model.entities { writer.entity(entity) }
            for template in model.fetchTemplates { writer.template(template) }
            for configuration in model.configurations {
                writer.element("configuration", [("name", configuration.name)]) { writer in
                    for name in configuration.entities { writer.element("memberEntity", [("name", name)]) }
                }
            }
            writer.userInfo(model.userInfo)
        }
        return writer.lines.joined(separator: "\n") + "\n"
    }

    private mutating func template(_ template: FetchTemplate) {
        let attributes: [(String, String?)] = [
            ("name", template.name), ("entity", template.entity), ("predicateString", template.predicate),
            ("fetchLimit", template.limit == 0 ? nil : String(template.limit)),
            ("fetchBatchSize", template.batchSize == 0 ? nil : String(template.batchSize)),
            ("resultType", template.result == .objects ? nil : String(template.result.rawValue)),
            ("includeSubentities", template.includesSubentities ? "YES" : "NO"),
            ("includesPendingChanges", template.includesPendingChanges ? "YES" : "NO"),
            ("returnDistinctResults", template.returnsDistinctResults ? "YES" : nil),
        ]
        element("fetchRequest", attributes) { $0.userInfo(template.userInfo) }
    }

    mutating func userInfo(_ entries: [String: String]) {
        guard !entries.isEmpty else { return }
        element("userInfo", []) { writer in
            for (key, value) in entries.sorted(by: { $0.key < $1.key }) {
                writer.element("entry", [("key", key), ("value", value)])
            }
        }
    }

    /// Writes an element without the attributes that are nil.
    mutating func element(
        _ name: String, _ attributes: [(String, String?)], _ contents: (inout ModelWriter) -> Void = { _ in }
    ) {
        let indent = String(repeating: "    ", count: depth)
        let written = attributes.compactMap { key, value in value.map { " \(key)=\"\(Self.escape($0))\"" } }.joined()
        let start = lines.count
        depth += 1
        contents(&self)
        depth -= 1
        if lines.count == start {
            lines.append("\(indent)<\(name)\(written)/>")
        } else {
            lines.insert("\(indent)<\(name)\(written)>", at: start)
            lines.append("\(indent)</\(name)>")
        }
    }

    /// The text with escapes for all characters that XML would change or reject.
    private static func escape(_ text: String) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            case "\u{0}"..<" ", "\u{7F}"..."\u{9F}", "\u{2028}", "\u{FFFE}", "\u{FFFF}":
                escaped += "&#\(scalar.value);"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }
}
