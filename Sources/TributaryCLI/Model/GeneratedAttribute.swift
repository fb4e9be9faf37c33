import TributaryModel

/// An attribute as a property of a generated class.
struct GeneratedAttribute {
    private let attribute: AttributeDescription
    private let identifier: String
    /// The type in Swift, without the question mark of optionals; nil if no type of an attribute suits all values.
    private let type: String?

    init(_ attribute: AttributeProperty, _ identifier: String) {
        self.attribute = attribute.declaration
        self.identifier = identifier
        type = Self.type(of: attribute.declaration)
    }

    /// The name in the model.
    var name: String { attribute.name }
    /// Whether the property reads and writes the attribute by its name.
    var isComputed: Bool { type == nil }
    var needsFoundation: Bool { type.map { ["Decimal", "Date", "Data", "UUID", "URL"].contains($0) } ?? false }
    var isUnusual: Bool { SwiftIdentifier.isUnusual(identifier) }

    private static func type(of attribute: AttributeDescription) -> String? {
        switch attribute.type.kind {
        case .integer16: return "Int16"
        case .integer32: return "Int32"
        case .integer64: return "Int"
        case .decimal: return "Decimal"
        case .double: return "Double"
        case .float: return "Float"
        case .string: return "String"
        case .boolean: return "Bool"
        case .date: return "Date"
        case .binary, .transformable: return "Data"
        case .uuid: return "UUID"
        case .uri: return "URL"
        case .json: return "JSONText"
        case .objectID: return nil
        case .undefined:
            guard attribute.isOptional else { return nil }
            return switch attribute.inferredType {
            case .string: "String"
            case .double: "Double"
            case .integer64: "Int"
            default: nil
            }
        }
    }

    // MARK: Declarations

    /// The lines of the property.
    func declaration(_ access: ClassAccess, isUnique: Bool) -> [String] {
        let (text, option) = defaultText
        var options: [String] = []
        if identifier != name { options.append(".named(\(SwiftLiteral.text(name)))") }
        if isUnique { options.append(".unique") }
        if attribute.isIndexed { options.append(".indexed") }
        if attribute.type == .undefined { options.append(".inferred") }
        if attribute.type == .transformable { options.append(".transformable") }
        if let name = attribute.transformerName { options.append(".transformer(\(SwiftLiteral.text(name)))") }
        if let name = attribute.valueClassName { options.append(".valueClass(\(SwiftLiteral.text(name)))") }
        options += option
        if let bounds { options.append(bounds) }
        if let pattern = attribute.regularExpression { options.append(".matching(\(SwiftLiteral.text(pattern)))") }
        if let expression = attribute.derivation { options.append(".derived(\(SwiftLiteral.text(expression)))") }
        if attribute.isTransient { options.append(".transient") }
        if let name = attribute.renamingIdentifier { options.append(".renamed(from: \(SwiftLiteral.text(name)))") }
        if let modifier = attribute.versionHashModifier {
            options.append(".versionHashModifier(\(SwiftLiteral.text(modifier)))")
        }
        if attribute.userInfo != stated.userInfo {
            options.append(".userInfo(\(SwiftLiteral.dictionary(attribute.userInfo)))")
        }
        let typeText = (type ?? "") + (attribute.isOptional ? "?" : "")
        return ["    /// \(AttributeSentence.text(of: attribute, isUnique: isUnique, identifier))."]
            + SwiftLines.property(
                "\(access.modifier)var \(SwiftIdentifier.escaped(identifier)): \(typeText)\(text)",
                wrapper: "@Attribute", options: options, positional: 2)
    }

    /// An attribute with the `userInfo` that the option `inferred` makes.
    private var stated: AttributeDescription {
        attribute.inferredType.map { .inferred(name, storing: $0) } ?? AttributeDescription(name, attribute.type)
    }

    /// The lines of a property that reads and writes the attribute by its name.
    func computedDeclaration(_ access: ClassAccess) -> [String] {
        [
            "    /// \(AttributeSentence.text(of: attribute, isUnique: false, identifier)).",
            "    \(access.modifier)var \(SwiftIdentifier.escaped(identifier)): FilterValue {",
            "        get { self[\(SwiftLiteral.text(name))] }",
            "        set { self[\(SwiftLiteral.text(name))] = newValue }",
            "    }",
        ]
    }

    /// The statements that add the attribute to the description of its entity.
    func insertion(at index: Int) -> [String] {
        let value = "AttributeDescription(\(SwiftLiteral.text(name)), .\(attribute.type.kind))"
        var settings: [String] = []
        if !attribute.isOptional { settings.append("isOptional = false") }
        if attribute.isTransient { settings.append("isTransient = true") }
        if attribute.isIndexed { settings.append("isIndexed = true") }
        if let name = attribute.transformerName { settings.append("transformerName = \(SwiftLiteral.text(name))") }
        if let name = attribute.valueClassName { settings.append("valueClassName = \(SwiftLiteral.text(name))") }
        if let text = attribute.derivation { settings.append("derivation = \(SwiftLiteral.text(text))") }
        if let name = attribute.renamingIdentifier {
            settings.append("renamingIdentifier = \(SwiftLiteral.text(name))")
        }
        if let text = attribute.versionHashModifier {
            settings.append("versionHashModifier = \(SwiftLiteral.text(text))")
        }
        if !attribute.userInfo.isEmpty { settings.append("userInfo = \(SwiftLiteral.dictionary(attribute.userInfo))") }
        return ["entity.attributes.insert(\(value), at: \(index))"]
            + settings.map { "entity.attributes[\(index)].\($0)" }
    }

    // MARK: Values

    /// The default as the initial value of the property, or as an option if it is not a value of the type.
    private var defaultText: (initial: String, option: [String]) {
        guard let value = attribute.defaultValue else { return ("", []) }
        guard let text = initial(value) else { return ("", [".defaultValue(\(SwiftLiteral.modelValue(value)))"]) }
        return (" = \(text)", [])
    }

    private func initial(_ value: ModelValue) -> String? {
        switch (attribute.type.kind, value) {
        case (.integer16, .integer(let number)): Int16(exactly: number).map { "\($0)" }
        case (.integer32, .integer(let number)): Int32(exactly: number).map { "\($0)" }
        case (.integer64, .integer): SwiftLiteral.expression(value)
        case (.double, .double): SwiftLiteral.expression(value)
        case (.float, .double(let number)): Double(Float(number)) == number ? SwiftLiteral.expression(value) : nil
        case (.json, .string(let text)):
            (try? JSONText(text))?.text == text ? ".literal(\(SwiftLiteral.text(text)))" : nil
        case (.transformable, _), (.undefined, _), (.objectID, _): nil
        case (_, .integer), (_, .double): nil
        default: SwiftLiteral.expression(value, isOptional: attribute.isOptional)
        }
    }

    /// The option of the minimum and maximum.
    private var bounds: String? {
        let name = attribute.type == .string ? "length" : "range"
        // An operator joins a minus sign, and would take an argument of another.
        let text = { (value: ModelValue) in
            let text = SwiftLiteral.expression(value)
            // A literal has the type Int here.
            if case .decimal = value, !text.hasPrefix("Decimal") { return "Decimal(\(text))" }
            return text.hasPrefix("-") || text.contains("??") ? "(\(text))" : text
        }
        switch (attribute.minimum, attribute.maximum) {
        case (let minimum?, let maximum?): return ".\(name)(\(text(minimum))...\(text(maximum)))"
        case (let minimum?, nil): return ".\(name)(\(text(minimum))...)"
        case (nil, let maximum?): return ".\(name)(...\(text(maximum)))"
        case (nil, nil): return nil
        }
    }
}
