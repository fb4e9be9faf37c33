/// The kind of the values of an SQL expression.
enum FilterKind: Character, Sendable {
    /// Null only.
    case null = "0"
    /// Whole numbers.
    case integer = "i"
    /// Floating point numbers.
    case real = "r"
    /// 0 and 1.
    case boolean = "b"
    /// Numbers of any kind: integers, floating point numbers, or decimals as text; `nan` is a NaN.
    case number = "n"
    /// Text.
    case string = "s"
    /// Dates as seconds since 1970, the form of columns.
    case date = "d"
    /// Dates as seconds since 2001, the form of computed values.
    case moment = "m"
    /// Bytes.
    case data = "x"
    /// UUIDs as text.
    case uuid = "u"
    /// URLs as text.
    case url = "l"
    /// Primary keys of objects.
    case object = "o"
    /// Packed values, which include their own kind: see ``FilterCodec/packed(_:)``.
    case any = "a"
    /// Values that can only be compared with null.
    case opaque = "z"

    /// Kinds whose values can be compared with one another.
    enum Family { case number, string, date, data, uuid, url, object, any }

    /// The family of the kind; nil if its values cannot be compared.
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

    /// Whether SQLite compares such values as the evaluation in memory does.
    var isNative: Bool {
        switch self {
        case .integer, .real, .boolean, .string, .data, .uuid, .url, .moment, .object: true
        default: false
        }
    }

    /// The kind as an SQL literal.
    var literal: String { "'\(rawValue)'" }
}

extension AttributeType {
    /// The kind of the values of a column.
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

extension AttributeDescription {
    /// The kind of the values of the column: that of the type, or for an inferred attribute that of its values.
    var filterKind: FilterKind {
        guard type == .undefined else { return type.filterKind }
        return switch storage {
        case .integer: .integer
        case .real: .real
        case .text: .string
        case .blob, .any: .opaque
        }
    }
}
