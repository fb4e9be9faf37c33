import TributaryJSON
import TributaryModel

/// A record as the subject of a compiled filter, whose keys are the numbers of paths.
struct RecordMembers: FilterSubject {
    let record: JSON
    let paths: [[String]]

    /// The key of a path by its number; no member has its name, since paths alone are asked for.
    static func key(of number: Int) -> String { "\(number)" }

    /// The number of the path of a key.
    static func path(of key: String) -> Int? { Int(key) }

    func filterValue(forKey key: String) throws(FilterError) -> FilterProperty {
        guard let number = Self.path(of: key), paths.indices.contains(number) else {
            throw FilterError(.key, "the record has no value \(key)")
        }
        return .value(FilterValue(record, at: paths[number][...]))
    }
}

/// An object inside of a record, as an element of an array or by itself.
private struct MemberObject: FilterSubject, Hashable, Sendable {
    let json: JSON

    func filterValue(forKey key: String) throws(FilterError) -> FilterProperty { .value(FilterValue(json, at: [key])) }

    // Filters compare objects of one record.
    static func == (left: Self, right: Self) -> Bool { left.json.offset == right.json.offset }
    func hash(into hasher: inout Hasher) { hasher.combine(json.offset) }
}

extension FilterValue {
    /// The value of JSON: null for a missing one, a list for an array.
    fileprivate init(_ json: JSON) {
        switch json.raw {
        case .missing, .null, .obstacle: self = .null
        case .boolean(let value): self = .boolean(value)
        case .text(let text): self = .string(String(decoding: text, as: UTF8.self))
        case .escapedText: self = (try? String(json: json)).map(FilterValue.string) ?? .null
        case .number(let text):
            if let whole = RawValue.integer(text) {
                self = .integer(whole)
            } else {
                let text = String(decoding: text, as: UTF8.self)
                self = FilterNumber.literal(text)?.value ?? .double(Double(text) ?? .nan)
            }
        case .container:
            if json.kind == .array {
                self = .list(json.elements.map { FilterValue($0) })
            } else {
                // A typed value of MongoDB is the value that a column gets.
                switch ExtendedJSON.plain(json) {
                case .text(let text): self = .string(text)
                case .integer(let number): self = .integer(number)
                case .real(let number): self = .double(number)
                case .null: self = .null
                case nil: self = .object(FilterReference(MemberObject(json: json)))
                }
            }
        }
    }

    /// The value at a path; through an array a list of the values of all elements.
    init(_ json: JSON, at path: ArraySlice<String>) {
        guard let name = path.first else {
            self.init(json)
            return
        }
        switch json.kind {
        case .object: self.init(json[name], at: path.dropFirst())
        case .array:
            self = .list(
                json.elements.flatMap { element -> [FilterValue] in
                    let value = FilterValue(element, at: path)
                    if case .list(let values) = value { return values }
                    return [value]
                })
        default: self = .null
        }
    }
}

extension JSON {
    /// Whether there is a value at a path, null included.
    func hasMember(at path: ArraySlice<String>) -> Bool {
        guard let name = path.first else { return !isMissing }
        switch kind {
        case .object: return self[name].hasMember(at: path.dropFirst())
        case .array: return elements.contains { $0.hasMember(at: path) }
        default: return false
        }
    }
}
