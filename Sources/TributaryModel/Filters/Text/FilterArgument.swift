public import Foundation

/// A type that can be an argument of `Filter(format:)`, or interpolated into a literal.
public protocol FilterArgument: Sendable {
    /// The operand that the argument becomes.
    var filterOperand: FilterOperand { get }
}

extension FilterOperand: FilterArgument {
    /// The operand itself.
    public var filterOperand: FilterOperand { self }
}

extension Filter: FilterArgument {
    /// The filter, as a part of a larger one.
    public var filterOperand: FilterOperand { .filter(self) }
}

extension FilterExpression: FilterArgument {
    /// The expression, as a side of a comparison.
    public var filterOperand: FilterOperand { .expression(self) }
}

extension FilterValue: FilterArgument {
    /// The value, as a constant.
    public var filterOperand: FilterOperand { .value(self) }
}

extension FilterReference: FilterArgument {
    /// The object, as a constant.
    public var filterOperand: FilterOperand { .value(.object(self)) }
}

extension FilterArgument where Self: BinaryInteger {
    /// The number as a constant; a decimal if it exceeds 64 bits.
    public var filterOperand: FilterOperand {
        if let number = Int64(exactly: self) { return .value(.integer(number)) }
        return .value(FilterNumber.literal(String(self))?.value ?? .double(Double(self)))
    }
}
extension Int: FilterArgument {}
extension Int8: FilterArgument {}
extension Int16: FilterArgument {}
extension Int32: FilterArgument {}
extension Int64: FilterArgument {}
extension UInt: FilterArgument {}
extension UInt8: FilterArgument {}
extension UInt16: FilterArgument {}
extension UInt32: FilterArgument {}
extension UInt64: FilterArgument {}

extension FilterArgument where Self: BinaryFloatingPoint {
    /// The value, as a constant.
    public var filterOperand: FilterOperand { .value(.double(Double(self))) }
}
extension Double: FilterArgument {}
extension Float: FilterArgument {}

/// A decimal number in a filter.
extension Decimal: FilterArgument {
    /// The value, as a constant.
    public var filterOperand: FilterOperand { .value(.decimal(self)) }
}

/// A Boolean value in a filter.
extension Bool: FilterArgument {
    /// The value, as a constant.
    public var filterOperand: FilterOperand { .value(.boolean(self)) }
}

extension FilterArgument where Self: StringProtocol {
    /// The value, as a constant.
    public var filterOperand: FilterOperand { .value(.string(String(self))) }
}
extension String: FilterArgument {}
extension Substring: FilterArgument {}

/// A date in a filter.
extension Date: FilterArgument {
    /// The value, as a constant.
    public var filterOperand: FilterOperand { .value(.date(self)) }
}

/// Bytes in a filter.
extension Data: FilterArgument {
    /// The value, as a constant.
    public var filterOperand: FilterOperand { .value(.data(self)) }
}

/// A UUID in a filter.
extension UUID: FilterArgument {
    /// The value, as a constant.
    public var filterOperand: FilterOperand { .value(.uuid(self)) }
}

/// An address in a filter.
extension URL: FilterArgument {
    /// The value, as a constant.
    public var filterOperand: FilterOperand { .value(.url(self)) }
}

/// A value in a filter, or null.
extension Optional: FilterArgument where Wrapped: FilterArgument {
    /// The wrapped value; null for nil.
    public var filterOperand: FilterOperand { self?.filterOperand ?? .value(.null) }
}

extension FilterArgument where Self: Sequence, Element: FilterArgument {
    /// The elements, as a list.
    public var filterOperand: FilterOperand { FilterOperand(collecting: self) }
}
extension Array: FilterArgument where Element: FilterArgument {}
extension Set: FilterArgument where Element: FilterArgument {}

extension FilterOperand {
    /// A list if all elements are constants, else an aggregate; a filter becomes an expression for true or false.
    fileprivate init(collecting elements: some Sequence<some FilterArgument>) {
        let operands = elements.map(\.filterOperand)
        var values: [FilterValue] = []
        for case .value(let value) in operands { values.append(value) }
        self =
            values.count == operands.count
            ? .value(.list(values)) : .expression(.aggregate(operands.map(\.asExpression)))
    }

    /// The operand as a side of a comparison.
    var asExpression: FilterExpression {
        switch self {
        case .value(let value): .constant(value)
        case .expression(let expression): expression
        case .filter(let filter): .ternary(filter, .constant(.boolean(true)), .constant(.boolean(false)))
        }
    }
}
