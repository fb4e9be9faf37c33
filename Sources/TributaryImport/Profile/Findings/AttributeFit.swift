import TributaryJSON
import TributaryModel

/// The values at a path that an attribute does not take.
struct AttributeFit {
    /// Values that do not fit, as the beginning of a sentence that the name of the attribute ends.
    typealias Misfit = (what: String, first: ValuePlace?)

    private let attribute: MappedAttribute
    private let path: PathProfile
    private let hidesValues: Bool
    private var kind: AttributeType.Kind { attribute.attribute.type.kind }

    /// Examines the values at a path.
    init(_ attribute: MappedAttribute, _ path: PathProfile, hidesValues: Bool) {
        (self.attribute, self.path, self.hidesValues) = (attribute, path, hidesValues)
    }

    /// All that does not fit.
    var misfits: [Misfit] {
        // What becomes of these is up to the program.
        if [.transformable, .objectID, .undefined, .json].contains(kind) { return [] }
        let wrong = path.kinds.filter { !takes($0) }
        let kinds = wrong.map {
            (what: "\($0.word) ×\(path[$0].count) is not of the type \(kind.rawValue)", path[$0].first)
        }
        return kinds + textMisfits + boundMisfits
    }

    // MARK: Kinds

    private func takes(_ found: ValueKind) -> Bool {
        if found == .object || found == .array { return false }
        if attribute.conversion == .lenient { return true }
        switch kind {
        case .integer16, .integer32, .integer64:
            return found == .integer || found == .real && hasWholeNumbers || found == .text && isKey
        case .double, .float: return found == .integer || found == .real
        case .decimal: return found == .integer || found == .real || found == .text
        case .boolean: return found == .yes || found == .no
        case .date: return found == .text || found == .integer && !attribute.coercion.dates.isEmpty
        case .string: return found == .text || isKey && (found == .integer || found == .real)
        default: return found == .text
        }
    }

    private var isKey: Bool {
        attribute.attribute.entity.uniquenessConstraints.contains {
            $0.properties.contains(.attribute(attribute.attribute))
        }
    }

    /// Some of the texts or numbers, all if they are few.
    private func values(areTexts: Bool) -> [String] {
        guard let values = path.values else { return [] }
        let known = values.members.map { Array($0.values) } ?? values.sample.items.map(\.value)
        return known.filter { $0.isText == areTexts && !$0.isCut }.map(\.text)
    }

    private var hasWholeNumbers: Bool {
        values(areTexts: false).allSatisfy { text in
            NumberLiteral(text)?.canonical.map { !$0.contains(".") } ?? false
        }
    }

    // MARK: Texts

    private var textMisfits: [Misfit] {
        guard let texts = path.values?.texts, attribute.conversion != .lenient else { return [] }
        func others(than shapes: TextShape..., what: String) -> [Misfit] {
            let count = texts.count - shapes.reduce(0) { $0 + texts.count(of: $1) }
            return count > 0 ? [("text ×\(count) is \(what)", nil)] : []
        }
        switch kind {
        case .date where attribute.coercion.dates.isEmpty:
            return others(than: .date, .dateTime, what: "no date as ISO 8601")
        case .uuid: return others(than: .uuid, what: "no UUID")
        case .decimal: return others(than: .integer, .number, what: "no decimal number")
        case .integer16, .integer32, .integer64: return isKey ? others(than: .integer, what: "no whole number") : []
        case .uri where texts.count(of: .blank) > 0: return [("text ×\(texts.count(of: .blank)) is no address", nil)]
        default: return []
        }
    }

    // MARK: Bounds

    private var boundMisfits: [Misfit] {
        var misfits: [Misfit] = []
        let declared = attribute.attribute.declaration
        let (least, most) = (declared.minimum.flatMap(literal), declared.maximum.flatMap(literal))
        if kind == .string, let texts = path.values?.texts {
            if let least, texts.shortest < Int(least) ?? 0 {
                misfits.append(("a text of \(texts.shortest) characters, \(least) is the least", nil))
            }
            if let most, texts.longest > Int(most) ?? .max {
                misfits.append(("a text of \(texts.longest) characters, \(most) is the most", nil))
            }
        } else if let numbers = path.values?.numbers {
            let (leasts, mosts) = ([least, width?.least].compactMap(\.self), [most, width?.most].compactMap(\.self))
            if let least = leasts.first(where: { NumberOrder.isBelow(numbers.minimum, $0) }) {
                let found = hidesValues ? "a number" : "minimum \(numbers.minimum)"
                misfits.append(("\(found), \(least) is the least", nil))
            }
            if let most = mosts.first(where: { NumberOrder.isBelow($0, numbers.maximum) }) {
                let found = hidesValues ? "a number" : "maximum \(numbers.maximum)"
                misfits.append(("\(found), \(most) is the most", nil))
            }
        }
        return misfits
    }

    /// The numbers that the type holds.
    private var width: (least: String, most: String)? {
        switch kind {
        case .integer16: ("\(Int16.min)", "\(Int16.max)")
        case .integer32: ("\(Int32.min)", "\(Int32.max)")
        case .integer64: ("\(Int64.min)", "\(Int64.max)")
        case .float: ("\(-Float.greatestFiniteMagnitude)", "\(Float.greatestFiniteMagnitude)")
        default: nil
        }
    }

    private func literal(_ value: ModelValue) -> String? {
        switch value {
        case .integer(let number): "\(number)"
        case .double(let number): "\(number)"
        case .decimal(let number): "\(number)"
        default: nil
        }
    }
}

extension ValueKind {
    /// The kind in a word, as lines about differences have it.
    var word: String {
        switch self {
        case .no: "false"
        case .yes: "true"
        case .real: "number"
        default: "\(self)"
        }
    }
}
