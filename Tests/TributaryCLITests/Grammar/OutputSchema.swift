import Foundation
import TributaryTestSupport

/// The schema of what commands print with `--json`, and what of it JSON violates.
struct OutputSchema {
    private let root: [String: Any]

    /// Reads `docs/output.schema.json`.
    init() throws {
        let data = try Data(contentsOf: Tool.package.appending(path: "docs/output.schema.json"))
        root = try JSONSerialization.jsonObject(with: data) as? [String: Any] ?? [:]
    }

    /// The forms that each command prints.
    var commands: [String: [String]] { root["x-commands"] as? [String: [String]] ?? [:] }

    /// What a line that a command has printed violates; nil if it has one of the forms of the command.
    func fault(in line: String, of command: String) throws -> String? {
        let value = try JSONSerialization.jsonObject(with: Data(line.utf8), options: .fragmentsAllowed)
        let forms = (commands[command] ?? []) + ["error"]
        let faults = forms.map { fault(in: value, ["$ref": "#/$defs/\($0)"], "$") }
        return faults.contains(nil) ? nil : "\(command): \(faults[0] ?? "") in \(line.prefix(500))"
    }

    private func fault(in value: Any, _ schema: [String: Any], _ path: String) -> String? {
        if let name = (schema["$ref"] as? String)?.split(separator: "/").last.map(String.init) {
            guard let form = (root["$defs"] as? [String: Any])?[name] as? [String: Any] else {
                return "no form \(name)"
            }
            return fault(in: value, form, path)
        }
        if let choices = schema["anyOf"] as? [[String: Any]] {
            let faults = choices.map { fault(in: value, $0, path) }
            return faults.contains(nil) ? nil : faults[0]
        }
        if let words = schema["enum"] as? [String], !words.contains("\(value)") { return "\(path) is \(value)" }
        if let only = schema["const"] as? Int, value as? Int != only { return "\(path) is not \(only)" }
        let types = schema["type"] as? [String] ?? (schema["type"] as? String).map { [$0] } ?? []
        let kinds = kinds(of: value)
        if !types.isEmpty, kinds.isDisjoint(with: types) { return "\(path) is \(kinds.sorted()), not \(types)" }
        if let items = value as? [Any], let form = schema["items"] as? [String: Any] {
            for (index, item) in items.enumerated() {
                if let fault = fault(in: item, form, "\(path)[\(index)]") { return fault }
            }
        }
        return (value as? [String: Any]).flatMap { fault(inMembers: $0, schema, path) }
    }

    private func fault(inMembers members: [String: Any], _ schema: [String: Any], _ path: String) -> String? {
        let properties = schema["properties"] as? [String: [String: Any]] ?? [:]
        for name in schema["required"] as? [String] ?? [] where members[name] == nil { return "\(path) has no \(name)" }
        for (name, value) in members.sorted(by: { $0.key < $1.key }) {
            var form = properties[name]
            if form == nil, let further = schema["additionalProperties"] {
                if further as? Bool == false { return "\(path).\(name) is no member" }
                form = further as? [String: Any]
            }
            if let form, let fault = fault(in: value, form, "\(path).\(name)") { return fault }
        }
        return nil
    }

    private func kinds(of value: Any) -> Set<String> {
        switch value {
        case is NSNull: ["null"]
        case is String: ["string"]
        case is [Any]: ["array"]
        case is [String: Any]: ["object"]
        case let number as NSNumber where String(cString: number.objCType) == "c": ["boolean"]
        case let number as NSNumber:
            number.doubleValue.rounded() == number.doubleValue ? ["integer", "number"] : ["number"]
        default: []
        }
    }
}
