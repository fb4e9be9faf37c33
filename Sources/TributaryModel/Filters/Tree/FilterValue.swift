#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A value that a filter compares: a constant, or what a key gives.
///
/// Two values are the same (`==`) if they are written the same: `1` and `1.0` are not, and text is compared by its
/// Unicode scalars. A filter compares by value instead: there `1 == 1.0`.
public enum FilterValue: Sendable {
    /// Nothing.
    case null
    /// A whole number.
    case integer(Int64)
    /// A number with a fraction.
    case double(Double)
    /// A number with exact decimals.
    case decimal(Decimal)
    /// Text.
    case string(String)
    /// A moment.
    case date(Date)
    /// Bytes.
    case data(Data)
    /// A UUID.
    case uuid(UUID)
    /// A URL.
    case url(URL)
    /// True or false; as a number 1 or 0.
    case boolean(Bool)
    /// Several values.
    case list([FilterValue])
    /// The id of an object, or the object itself.
    case object(FilterReference)

    /// Whether it is nothing.
    public var isNull: Bool {
        if case .null = self { return true }
        return false
    }
}

extension FilterValue: Hashable {
    /// Whether two values are written the same.
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
        case .string(let text): for byte in text.utf8 { hasher.combine(byte) }
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
