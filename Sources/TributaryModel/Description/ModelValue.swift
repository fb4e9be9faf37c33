public import Foundation

/// A value in a model: the default, the minimum or the maximum of an attribute.
public enum ModelValue: Sendable, Hashable {
    /// A whole number.
    case integer(Int64)
    /// A floating point number.
    case double(Double)
    /// A number with exact decimals.
    case decimal(Decimal)
    /// Text.
    case string(String)
    /// True or false.
    case boolean(Bool)
    /// A date and time.
    case date(Date)
    /// Bytes.
    case data(Data)
    /// A UUID.
    case uuid(UUID)
    /// A URL.
    case url(URL)
}
