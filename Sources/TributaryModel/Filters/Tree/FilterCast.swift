/// The type that `CAST` converts a value to.
public enum FilterCast: String, Sendable, Hashable, CaseIterable {
    /// Text.
    case string = "NSString"
    /// A number of the type that the value or its text has.
    case number = "NSNumber"
    /// A whole number, rounded towards zero.
    case integer = "Int64"
    /// A floating point number.
    case double = "Double"
    /// A number with exact decimals.
    case decimal = "NSDecimalNumber"
    /// True or false.
    case boolean = "Bool"
    /// A date; a number is read as seconds since 2001.
    case date = "NSDate"
    /// Bytes; text is read as Base64.
    case data = "NSData"
    /// A UUID.
    case uuid = "NSUUID"
    /// A URL.
    case url = "NSURL"

    /// The type with a name, ignoring case and a prefix `NS`.
    init?(name: String) {
        let lower = name.lowercased()
        switch lower.hasPrefix("ns") ? String(lower.dropFirst(2)) : lower {
        case "int", "integer": self = .integer
        case "float": self = .double
        case "decimal": self = .decimal
        case "boolean": self = .boolean
        case let name:
            let cast = Self.allCases.first { $0.rawValue.lowercased().trimmingPrefix("ns") == name }
            guard let cast else { return nil }
            self = cast
        }
    }
}
