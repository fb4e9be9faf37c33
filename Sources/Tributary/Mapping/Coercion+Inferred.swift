import TributaryGraph
import TributaryJSON
import TributaryModel
import TributarySQLite

/// Values of inferred columns, which are stored as they are.
extension Coercion {
    /// The kinds of values that the column of an inferred attribute keeps unchanged.
    static func kinds(of attribute: AttributeProperty) -> ValueKinds {
        guard attribute.type == .undefined else { return [] }
        let known = attribute.declaration.valueKinds
        if known.isEmpty || known.isMixed { return .all }
        let single: [ValueKinds] = [.integer, .largeInteger, .real, .negativeZero, .text]
        return single.reduce(into: known) { kinds, kind in
            if known.hasSameStorage(known.union(kind)) { kinds.formUnion(kind) }
        }
    }

    /// The value of an inferred attribute.
    ///
    /// - Throws: `JSONError` if the column would change it, or it is the key and no number or text.
    func inferred(_ json: JSON) throws -> SQLValue {
        let (value, kind): (SQLValue, ValueKinds)
        switch json.kind {
        case .boolean where !isKey: (value, kind) = (.integer(try Bool(json: json) ? 1 : 0), .integer)
        case .number: (value, kind) = InferredNumber.stored(json)
        case .string: (value, kind) = (.text(try String(json: json)), .text)
        case .array where !isKey, .object where !isKey: (value, kind) = (.text(try Coercion.compactText(json)), .text)
        default: throw json.mismatch(expected: "a number or text")
        }
        guard kinds.isSuperset(of: kind) else {
            var error = json.mismatch(expected: "a value of the kind that \(name) has had")
            error.hint = "import with --relations, which changes the type of the column"
            throw error
        }
        return value
    }
}
