public import Foundation

/// A value in a filter: a constant, or the value of a key.
///
/// Two values are equal in Swift (`==`) if they have the same type and representation: `1` and `1.0` are not, and text
/// is compared by its Unicode scalars. Filters compare by value instead: there `1 == 1.0`.
public enum FilterValue: Sendable {
    /// The null value.
    case null
    /// A whole number.
    case integer(Int64)
    /// A floating point number.
    case double(Double)
    /// A number with exact decimals.
    case decimal(Decimal)
    /// Text.
    case string(String)
    /// A date and time.
    case date(Date)
    /// Bytes.
    case data(Data)
    /// A UUID.
    case uuid(UUID)
    /// A URL.
    case url(URL)
    /// True or false; 1 or 0 as a number.
    case boolean(Bool)
    /// A list of values.
    case list([FilterValue])
    /// The ID of an object, or the object itself.
    case object(FilterReference)

    /// Whether the value is null.
    public var isNull: Bool {
        if case .null = self { return true }
        return false
    }
}

extension FilterValue: Hashable {
    /// Whether two values have the same type and representation.
    public static func == (left: FilterValue, right: FilterValue) -> Bool {
        switch (left, right) {
        case (.null, .null): true
        case (.integer(let left), .integer(let right)): left == right
        case (.double(let left), .double(let right)): left.bitPattern == right.bitPattern
        case (.decimal(let left), .decimal(let right)): left == right
        case (.string(let left), .string(let right)): left.utf8.elementsEqual(right.utf8)
        case (.date(let left), .date(let right)): left == right
        case (.data(let left), .data(let right)): left == right
        case (.uuid(let left), .uuid(let right)): left == right
        case (.url(let left), .url(let right)): left == right
        case (.boolean(let left), .boolean(let right)): left == right
        case (.list(let left), .list(let right)): left == right
        case (.object(let left), .object(let right)): left == right
        default: false
        }
    }

    /// Feeds the value to a hasher.
    public func hash(into hasher: inout Hasher) {
        switch self {
        case .null: hasher.combine(0)
        case .integer(let number): hasher.combine(number)
        case .double(let number): hasher.combine(number.bitPattern)
        case .decimal(let number): hasher.combine(number)
        case .string(let text): hasher.combine(bytesOf: text)
        case .date(let date): hasher.combine(date)
        case .data(let data): hasher.combine(data)
        case .uuid(let uuid): hasher.combine(uuid)
        case .url(let url): hasher.combine(url)
        case .boolean(let flag): hasher.combine(flag)
        case .list(let values): hasher.combine(values)
        case .object(let reference): hasher.combine(reference)
        }
    }
}

extension Hasher {
    /// Feeds the bytes of a text, so that texts with equal characters and different bytes differ.
    mutating func combine(bytesOf text: String) {
        var text = text
        text.withUTF8 { combine(bytes: UnsafeRawBufferPointer($0)) }
    }
}
