/// The kind of a derivation's value, as far as it can be inferred from a model.
enum DerivationKind: Equatable {
    case null, number, boolean, text, date, data, uuid, url
    /// An object of the entity at an index of the model.
    case object(Int)
    indirect case several(DerivationKind)
    case unknown

    init(_ type: AttributeType) {
        self =
            switch type.kind {
            case .integer16, .integer32, .integer64, .decimal, .double, .float: .number
            case .string, .json: .text
            case .boolean: .boolean
            case .date: .date
            case .binary, .transformable: .data
            case .uuid: .uuid
            case .uri: .url
            case .objectID, .undefined: .unknown
            }
    }

    init(_ value: FilterValue) {
        self =
            switch value {
            case .null: .null
            case .integer, .double, .decimal: .number
            case .string: .text
            case .date: .date
            case .data: .data
            case .uuid: .uuid
            case .url: .url
            case .boolean: .boolean
            case .list: .several(.unknown)
            case .object: .unknown
            }
    }

    init(_ cast: FilterCast) {
        self =
            switch cast {
            case .string: .text
            case .number, .integer, .double, .decimal: .number
            case .boolean: .boolean
            case .date: .date
            case .data: .data
            case .uuid: .uuid
            case .url: .url
            }
    }

    /// The kind of an element of several values; the kind itself for a single value.
    var element: DerivationKind { if case .several(let kind) = self { kind } else { self } }

    /// Several values of this kind; the kind itself if it is several already.
    var collected: DerivationKind { isSeveral ? self : .several(self) }

    private var isSeveral: Bool { if case .several = self { true } else { false } }

    /// Whether the value can be used as a number.
    var isNumber: Bool { [.number, .boolean, .unknown, .null].contains(self) }

    /// Whether an attribute of a type can have such a value.
    func fits(_ type: AttributeType) -> Bool {
        switch (self, type.kind) {
        // 0 and 1 are true and false; any other number is an error when the value is computed.
        case (.null, _), (.unknown, _), (.object, .objectID), (.number, .boolean): true
        case (_, .undefined): !isSeveral
        case (_, .objectID): false
        default: self == DerivationKind(type)
        }
    }

    var name: String {
        switch self {
        case .null: "null"
        case .number: "a number"
        case .boolean: "true or false"
        case .text: "text"
        case .date: "a date"
        case .data: "bytes"
        case .uuid: "a UUID"
        case .url: "a URL"
        case .object: "an object"
        case .several: "several values"
        case .unknown: "a value of an unknown kind"
        }
    }
}
