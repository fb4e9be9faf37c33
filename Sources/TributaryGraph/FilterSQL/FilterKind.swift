/// What the values of a piece of SQL are.
enum FilterKind: Character, Sendable {
    /// Nothing but null.
    case null = "0"
    /// Whole numbers.
    case integer = "i"
    /// Numbers with a fraction.
    case real = "r"
    /// 0 and 1.
    case boolean = "b"
    /// Numbers of any kind: whole, with a fraction, or as the text of a decimal; `nan` is a NaN.
    case number = "n"
    /// Text.
    case string = "s"
    /// Seconds since 1970, as columns have them.
    case date = "d"
    /// Seconds since 2001, as they are computed.
    case moment = "m"
    /// Bytes.
    case data = "x"
    /// UUIDs as text.
    case uuid = "u"
    /// URLs as text.
    case url = "l"
    /// The keys of objects.
    case object = "o"
    /// Values that say themselves what they are: see ``FilterCodec/packed(_:)``.
    case any = "a"
    /// What can only be told from null.
    case opaque = "z"

    /// What sets of kinds compare with one another; nil for what is not compared.
    enum Family { case number, string, date, data, uuid, url, object, any }

    var family: Family? {
        switch self {
        case .null, .opaque: nil
        case .integer, .real, .boolean, .number: .number
        case .string: .string
        case .date, .moment: .date
        case .data: .data
        case .uuid: .uuid
        case .url: .url
        case .object: .object
        case .any: .any
        }
    }

    /// Whether SQLite's own comparison is ours.
    var isNative: Bool {
        switch self {
        case .integer, .real, .boolean, .string, .data, .uuid, .url, .moment, .object: true
        default: false
        }
    }

    /// The kind as a literal.
    var literal: String { "'\(rawValue)'" }
}

extension AttributeType {
    /// What the values of a column are.
    var filterKind: FilterKind {
        switch kind {
        case .integer16, .integer32, .integer64: .integer
        case .boolean: .boolean
        case .double, .float: .real
        case .decimal: .number
        case .string, .json: .string
        case .date: .date
        case .binary, .transformable: .data
        case .uuid: .uuid
        case .uri: .url
        case .objectID, .undefined: .opaque
        }
    }
}
