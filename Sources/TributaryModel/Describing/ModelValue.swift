#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A value of an attribute as a model states it: a default or a bound.
public enum ModelValue: Sendable, Hashable {
    /// A whole number.
    case integer(Int64)
    /// A number with a fraction.
    case double(Double)
    /// A number with exact decimals.
    case decimal(Decimal)
    /// Text.
    case string(String)
    /// True or false.
    case boolean(Bool)
    /// A moment.
    case date(Date)
    /// Bytes.
    case data(Data)
    /// A UUID.
    case uuid(UUID)
    /// A URL.
    case url(URL)
}
