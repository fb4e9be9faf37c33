import TributaryStore
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
        let plain = unwrapsExtendedJSON ? ExtendedJSON.plain(json) : nil
        switch json.kind {
        case .object where plain != nil && !(isKey && plain == .null):
            (value, kind) = (plain?.stored ?? .null, plain?.kind ?? [])
        case .boolean where !isKey: (value, kind) = (.integer(try Bool(json: json) ? 1 : 0), .integer)
        case .number: (value, kind) = InferredNumber.stored(json)
        case .string: (value, kind) = (.text(try String(json: json)), .text)
        case .array where !isKey, .object where !isKey: (value, kind) = (.text(try containerText(json)), .text)
        default: throw json.mismatch(expected: "a number or text")
        }
        guard kinds.isSuperset(of: kind) else {
            var error = json.mismatch(expected: "a value of the kind that \(name) has had")
            error.hint = "import with --relations, which changes the type of the column"
            throw error
        }
        return value
    }

    /// The compact JSON of an array or object.
    private func containerText(_ json: JSON) throws -> String {
        guard unwrapsExtendedJSON, ExtendedJSON.isAnywhere(in: json) else { return try Coercion.compactText(json) }
        var (text, scratch) = ([UInt8](), [UInt8]())
        ExtendedJSON.append(json, to: &text, &scratch)
        return String(decoding: text, as: UTF8.self)
    }
}
