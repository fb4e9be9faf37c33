extension ModelReader {
    mutating func attribute(_ element: MarkupElement, _ name: String, of entity: String) -> AttributeDescription {
        let owner = "entity \"\(entity)\": attribute \"\(name)\""
        let type = type(element, owner)
        var attribute = AttributeDescription(name, type)
        attribute.isOptional = element.flag("optional")
        attribute.isTransient = element.flag("transient")
        attribute.isIndexed = element.flag("indexed")
        attribute.defaultValue = value(element, "defaultValueString", interval: "defaultDateTimeInterval", type, owner)
        attribute.minimum = bound(element, "minValueString", interval: "minDateTimeInterval", type, owner)
        attribute.maximum = bound(element, "maxValueString", interval: "maxDateTimeInterval", type, owner)
        if type == .string { attribute.regularExpression = element["regularExpressionString"] }
        if type != .json { attribute.transformerName = element["valueTransformerName"] }
        attribute.valueClassName = element["customClassName"]
        if element.flag("derived") { attribute.derivation = element["derivationExpression"] ?? "" }
        attribute.renamingIdentifier = element["elementID"] ?? element["renamingIdentifier"]
        attribute.versionHashModifier = element["versionHashModifier"]
        attribute.userInfo = element.userInfo
        return attribute
    }

    private mutating func type(_ element: MarkupElement, _ owner: String) -> AttributeType {
        guard let text = element["attributeType"] else { return .undefined }
        guard let kind = AttributeType.Kind(rawValue: text), kind != .json else {
            let names = AttributeType.Kind.allCases.filter { $0 != .json }.map(\.rawValue).joined(separator: ", ")
            report(element, "\(owner) has the unknown type \"\(text)\"; write one of \(names)")
            return .undefined
        }
        return kind == .transformable && element["valueTransformerName"] == "JSON" ? .json : AttributeType(kind: kind)
    }

    private mutating func value(
        _ element: MarkupElement, _ key: String, interval: String, _ type: AttributeType, _ owner: String
    ) -> ModelValue? {
        if type == .date, let text = element[interval] {
            if let value = AttributeText.interval(text) { return value }
            report(element, "\(owner) has \"\(text)\" as \(interval), which is not a number of seconds; correct it")
            return nil
        }
        guard let text = element.attributes[key], !text.isEmpty || type == .string || type == .json else { return nil }
        // A default of a type without a written form is ignored: editors keep it when the type changes.
        guard ![.objectID, .undefined].contains(type) else { return nil }
        if let value = AttributeText.value(text, type) { return value }
        report(element, "\(owner) of type \(type) has \"\(text)\" as \(key), which is not a valid value; correct it")
        return nil
    }

    private mutating func bound(
        _ element: MarkupElement, _ key: String, interval: String, _ type: AttributeType, _ owner: String
    ) -> ModelValue? {
        switch type {
        case .string:
            guard let text = element[key] else { return nil }
            if let value = AttributeText.value(text, .integer64) { return value }
            report(element, "\(owner) has \"\(text)\" as \(key), which is not a length; correct it")
            return nil
        case .integer16, .integer32, .integer64, .decimal, .double, .float, .date:
            return value(element, key, interval: interval, type, owner)
        default: return nil
        }
    }
}
