/// Reads one attribute of a model file.
struct AttributeReader {
    private let element: MarkupElement
    private let name: String
    private let owner: String
    private(set) var faults: [String] = []

    init(_ element: MarkupElement, _ name: String, entity: String) {
        self.element = element
        self.name = name
        owner = "entity \"\(entity)\": attribute \"\(name)\""
    }

    /// Reads the attribute and adds its errors to `faults`.
    mutating func attribute() -> AttributeDescription {
        let type = type()
        var attribute = AttributeDescription(name, type)
        attribute.isOptional = element.flag("optional")
        attribute.isTransient = element.flag("transient")
        attribute.isIndexed = element.flag("indexed")
        attribute.defaultValue = value("defaultValueString", interval: "defaultDateTimeInterval", type)
        attribute.minimum = bound("minValueString", interval: "minDateTimeInterval", type)
        attribute.maximum = bound("maxValueString", interval: "maxDateTimeInterval", type)
        if type == .string { attribute.regularExpression = element["regularExpressionString"] }
        if type != .json { attribute.transformerName = element["valueTransformerName"] }
        attribute.valueClassName = element["customClassName"]
        if element.flag("derived") { attribute.derivation = element["derivationExpression"] ?? "" }
        attribute.renamingIdentifier = element["elementID"] ?? element["renamingIdentifier"]
        attribute.versionHashModifier = element["versionHashModifier"]
        attribute.userInfo = element.userInfo
        return attribute
    }

    private mutating func type() -> AttributeType {
        guard let text = element["attributeType"] else { return .undefined }
        guard let kind = AttributeType.Kind(rawValue: text), kind != .json else {
            let names = AttributeType.Kind.allCases.filter { $0 != .json }.map(\.rawValue).joined(separator: ", ")
            faults.append("\(owner) has the unknown type \"\(text)\"; write one of \(names)")
            return .undefined
        }
        return kind == .transformable && element["valueTransformerName"] == "JSON" ? .json : AttributeType(kind: kind)
    }

    private mutating func value(_ key: String, interval: String, _ type: AttributeType) -> ModelValue? {
        if type == .date, let text = element[interval] {
            if let value = AttributeText.interval(text) { return value }
            faults.append("\(owner) has \"\(text)\" as \(interval), which is not a number of seconds; correct it")
            return nil
        }
        guard let text = element.attributes[key], !text.isEmpty || type == .string || type == .json else { return nil }
        // A default of a type without a written form is ignored: editors keep it when the type changes.
        guard AttributeText.isWritten(type) else { return nil }
        if let value = AttributeText.value(text, type) { return value }
        faults.append("\(owner) of type \(type) has \"\(text)\" as \(key), which is not a valid value; correct it")
        return nil
    }

    private mutating func bound(_ key: String, interval: String, _ type: AttributeType) -> ModelValue? {
        switch type {
        case .string:
            guard let text = element[key] else { return nil }
            if let value = AttributeText.value(text, .integer64) { return value }
            faults.append("\(owner) has \"\(text)\" as \(key), which is not a length; correct it")
            return nil
        case .integer16, .integer32, .integer64, .decimal, .double, .float, .date:
            return value(key, interval: interval, type)
        default: return nil
        }
    }
}
