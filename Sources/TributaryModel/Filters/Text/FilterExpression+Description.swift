extension FilterExpression: CustomStringConvertible {
    /// The canonical text of the expression.
    public var description: String {
        switch self {
        case .constant(let value): value.description
        case .subject: "SELF"
        case .keyPath(let keys): keys.isEmpty ? "SELF" : Self.text(of: keys)
        case .variable(let name): "$" + (name.isFilterName ? name : name.quotedForFilter)
        case .path(let base, let keys): base.asBase(ofElement: false) + "." + Self.text(of: keys)
        case .aggregate(let elements): Self.text(ofAggregate: elements)
        case .negation(let inner): "-" + inner.asNegated
        case .operation(.modulus, let left, let right): "modulus:by:(\(left), \(right))"
        case .operation(let operation, let left, let right):
            left.grouped(below: operation.level) + " \(operation.rawValue) "
                + right.grouped(below: operation.level + 1)
        case .function(let function, let arguments):
            "\(function.rawValue)(\(arguments.map(\.description).joined(separator: ", ")))"
        case .subquery(let collection, let variable, let filter):
            "SUBQUERY(\(collection), \(FilterExpression.variable(variable)), \(filter))"
        case .ternary(let filter, let yes, let no): "TERNARY(\(filter), \(yes), \(no))"
        case .cast(.constant(let value), let type): "CAST((\(value)), \"\(type.rawValue)\")"
        case .cast(let inner, let type): "CAST(\(inner), \"\(type.rawValue)\")"
        case .element(let base, let index): "\(base.asBase(ofElement: true))[\(index)]"
        }
    }

    private func grouped(below level: Int) -> String {
        guard case .operation(let operation, _, _) = self, operation != .modulus, operation.level < level else {
            return description
        }
        return "(\(description))"
    }

    /// The text after a minus; a number is in parentheses, or it would be read as a negative number.
    private var asNegated: String {
        if case .constant = self { return "(\(description))" }
        return grouped(below: .max)
    }

    /// The text before a bracket or a dot.
    private func asBase(ofElement: Bool) -> String {
        switch self {
        case .keyPath, .subject, .path: ofElement ? description : "(\(description))"
        case .negation, .operation, .constant: "(\(description))"
        default: description
        }
    }

    private static func text(ofAggregate elements: [FilterExpression]) -> String {
        guard let first = elements.first else { return "{,}" }
        let isConstant = elements.allSatisfy { if case .constant = $0 { true } else { false } }
        // Parentheses distinguish an aggregate of constant expressions from a list of constants.
        let texts = (isConstant ? ["(\(first))"] : [first.description]) + elements.dropFirst().map(\.description)
        return "{\(texts.joined(separator: ", "))}"
    }

    private static func text(of keys: [String]) -> String {
        keys.enumerated().map { index, key in
            let isPlain = key.hasPrefix("@") ? String(key.dropFirst()).isFilterName : key.isFilterName
            if !isPlain { return "#" + key.quotedForFilter }
            return index == 0 && FilterParser.isReserved(key) ? "#" + key : key
        }.joined(separator: ".")
    }
}

extension FilterIndex: CustomStringConvertible {
    /// The text between the brackets.
    public var description: String {
        switch self {
        case .first: "FIRST"
        case .last: "LAST"
        case .size: "SIZE"
        case .at(let index): index.description
        }
    }
}

extension String {
    /// Whether the text is a name that needs no quotes.
    var isFilterName: Bool {
        guard let first = unicodeScalars.first, first.beginsName else { return false }
        return unicodeScalars.allSatisfy(\.continuesName)
    }

    var quotedForFilter: String {
        var text = "\""
        for scalar in unicodeScalars {
            switch scalar {
            case "\"": text += "\\\""
            case "\\": text += "\\\\"
            case "\n": text += "\\n"
            case "\r": text += "\\r"
            case "\t": text += "\\t"
            default: text += scalar.shown
            }
        }
        return text + "\""
    }
}
