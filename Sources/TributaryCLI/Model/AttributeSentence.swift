import Foundation
import TributaryModel

/// The sentence about an attribute in its documentation.
enum AttributeSentence {
    static func text(of attribute: AttributeDescription, isUnique: Bool, _ identifier: String) -> String {
        let noun = (isUnique ? "unique " : "") + noun(attribute)
        let isWhole = noun.first?.isUppercase == true
        var text =
            attribute.isOptional ? "Optional \(noun)" : isWhole ? noun : noun.prefix(1).uppercased() + noun.dropFirst()
        text += bounds(attribute)
        if let expression = attribute.derivation {
            text += ", computed on save from `\(SwiftLiteral.comment(expression))`"
        }
        if attribute.isTransient { text += ", in memory only" }
        if identifier != attribute.name { text += ", named `\(SwiftLiteral.comment(attribute.name))` in the model" }
        if let name = attribute.renamingIdentifier, name != attribute.name {
            text += ", formerly `\(SwiftLiteral.comment(name))`"
        }
        return text
    }

    private static func noun(_ attribute: AttributeDescription) -> String {
        switch (attribute.inferredType ?? attribute.type).kind {
        case .integer16, .integer32, .integer64: "whole number"
        case .decimal: "exact decimal number"
        case .double, .float: "number"
        case .string: "text"
        case .boolean: "flag"
        case .date: "date"
        case .binary: "bytes"
        case .uuid: "UUID"
        case .uri: "URL"
        case .transformable:
            attribute.valueClassName.map { "bytes of a `\(SwiftLiteral.comment($0))`" } ?? "bytes of an encoded value"
        case .json: "JSON"
        case .objectID: "ID of an object"
        case .undefined: "value of any type"
        }
    }

    private static func bounds(_ attribute: AttributeDescription) -> String {
        let isText = attribute.type == .string
        let unit = isText ? " characters" : ""
        switch (attribute.minimum.map(text), attribute.maximum.map(text)) {
        case (let minimum?, let maximum?):
            guard minimum != maximum else { return isText ? " of \(minimum)\(unit)" : ", always \(minimum)" }
            return isText ? " of \(minimum) to \(maximum)\(unit)" : " from \(minimum) to \(maximum)"
        case (let minimum?, nil): return attribute.type == .date ? " from \(minimum)" : " of at least \(minimum)\(unit)"
        case (nil, let maximum?): return attribute.type == .date ? " until \(maximum)" : " of at most \(maximum)\(unit)"
        case (nil, nil): return ""
        }
    }

    private static func text(_ value: ModelValue) -> String {
        if case .date(let date) = value { return date.formatted(.iso8601) }
        return AttributeText.text(value)
    }
}
