#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension AttributeValue {
    /// The value as a model states a default; nil if there is none.
    var modelValue: ModelValue? {
        switch self {
        case let value as Bool: .boolean(value)
        case let value as Int: .integer(Int64(value))
        case let value as Int64: .integer(value)
        case let value as Int32: .integer(Int64(value))
        case let value as Int16: .integer(Int64(value))
        case let value as Double: .double(value)
        case let value as Float: .double(Double(value))
        case let value as Decimal: .decimal(value)
        case let value as String: .string(value)
        case let value as Date: .date(value)
        case let value as Data: .data(value)
        case let value as UUID: .uuid(value)
        case let value as URL: .url(value)
        default: nil
        }
    }
}
