internal import Foundation

extension ModelCheck {
    mutating func checkAttributes(of index: Int) {
        let entity = model.entities[index]
        for attribute in entity.attributes {
            let owner = "entity \"\(entity.name)\": attribute \"\(attribute.name)\""
            if [.objectID, .undefined].contains(attribute.type), !attribute.isTransient, !model.isInferred {
                report("\(owner) of type \(attribute.type) cannot be stored; make it transient or choose another type")
            }
            if let value = attribute.defaultValue, !value.isDefault(of: attribute.type) {
                report("\(owner) of type \(attribute.type) has a default value of another type; correct or remove it")
            }
            if attribute.type == .transformable, attribute.transformerName == "JSON" {
                report(
                    "\(owner) names the transformer \"JSON\", which stands for the type JSON in files; use that type")
            }
            checkBounds(of: attribute, owner)
            checkPattern(of: attribute, owner)
        }
    }

    private mutating func checkBounds(of attribute: AttributeDescription, _ owner: String) {
        var fits = true
        for (name, bound) in [("minimum", attribute.minimum), ("maximum", attribute.maximum)] {
            guard let bound else { continue }
            if !Self.canBound(bound, attribute.type) {
                fits = false
                report("\(owner) of type \(attribute.type) has a \(name) of another type; correct or remove it")
            }
        }
        guard fits, let minimum = attribute.minimum, let maximum = attribute.maximum else { return }
        if Self.isLess(maximum, minimum) {
            report("\(owner) has a minimum above its maximum; swap them")
        }
    }

    private mutating func checkPattern(of attribute: AttributeDescription, _ owner: String) {
        guard let pattern = attribute.regularExpression else { return }
        if attribute.type != .string {
            report("\(owner) of type \(attribute.type) has a regular expression, which only text can match; remove it")
        } else if (try? NSRegularExpression(pattern: pattern)) == nil {
            report("\(owner) has a regular expression that is not valid: \(pattern); correct it")
        }
    }

    /// Whether a value can be the minimum or maximum of a type: numbers and dates by value, text by its length.
    static func canBound(_ value: ModelValue, _ type: AttributeType) -> Bool {
        switch type.kind {
        case .integer16, .integer32, .integer64, .decimal, .double, .float, .date: value.isDefault(of: type)
        case .string:
            if case .integer(let length) = value { length >= 0 } else { false }
        default: false
        }
    }

    private static func isLess(_ left: ModelValue, _ right: ModelValue) -> Bool {
        if case .date(let one) = left, case .date(let other) = right { return one < other }
        guard let one = decimal(left), let other = decimal(right) else { return false }
        return one < other
    }

    private static func decimal(_ value: ModelValue) -> Decimal? {
        switch value {
        case .integer(let number): Decimal(number)
        case .double(let number): Decimal(number)
        case .decimal(let number): number
        default: nil
        }
    }
}

extension ModelValue {
    /// Whether it can be the default of an attribute of a type.
    package func isDefault(of type: AttributeType) -> Bool {
        switch (type.kind, self) {
        case (.integer16, .integer), (.integer32, .integer), (.integer64, .integer): true
        case (.double, .double(let number)), (.float, .double(let number)): number.isFinite
        case (.double, .integer), (.float, .integer), (.decimal, .integer): true
        case (.decimal, .decimal(let number)): !number.isNaN
        case (.json, .string(let text)): (try? JSONText(text)) != nil
        case (.string, .string), (.boolean, .boolean), (.date, .date): true
        case (.binary, .data), (.transformable, .data), (.uuid, .uuid), (.uri, .url): true
        default: false
        }
    }
}
