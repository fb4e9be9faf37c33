public import Foundation

extension JSON {
    fileprivate func integer<Integer: FixedWidthInteger>() throws -> Integer {
        guard token == .number else { throw mismatch(expected: "an integer") }
        let text = NumberText(storage.text(storage.word(word)))
        if let value = text.plainInt64(), let exact = Integer(exactly: value) { return exact }
        guard let value = text.integer() else {
            throw text.isInteger ? outOfRange(expected: "a \(Integer.self)") : mismatch(expected: "an integer")
        }
        guard let exact = Integer(exactly: value) else { throw outOfRange(expected: "a \(Integer.self)") }
        return exact
    }

    fileprivate func double() throws -> Double {
        guard token == .number else { throw mismatch(expected: "a number") }
        guard let value = NumberText(storage.text(storage.word(word))).double(), value.isFinite else {
            throw outOfRange(expected: "a Double")
        }
        return value
    }
}

extension JSONDefaultConvertible where Self: ExpressibleByIntegerLiteral {
    /// 0, for numbers.
    public static var jsonPlaceholder: Self { 0 }
}

/// An integer of JSON, exactly; also one written as `1.0` or `1e3`. A number that does not fit is an error.
extension Int: JSONDefaultConvertible {
    /// A whole number that fits: 12, also 1.0 and 1e3, but neither 1.5 nor "12".
    public init(json: borrowing JSON) throws { self = try json.integer() }
}

extension JSONDefaultConvertible where Self: FixedWidthInteger {
    /// A whole number that fits.
    public init(json: borrowing JSON) throws { self = try json.integer() }
}

extension Int8: JSONDefaultConvertible {}
extension Int16: JSONDefaultConvertible {}
extension Int32: JSONDefaultConvertible {}
extension UInt: JSONDefaultConvertible {}
extension UInt8: JSONDefaultConvertible {}
extension UInt16: JSONDefaultConvertible {}
extension UInt32: JSONDefaultConvertible {}
extension UInt64: JSONDefaultConvertible {}

/// An integer of JSON, exactly.
extension Int64: JSONDefaultConvertible {
    /// A whole number that fits.
    public init(json: borrowing JSON) throws { self = try json.integer() }
}

/// A number of JSON, rounded to the nearest double.
extension Double: JSONDefaultConvertible {
    /// The nearest double; a number that is too large or too small is an error.
    public init(json: borrowing JSON) throws { self = try json.double() }
}

/// A number of JSON, rounded to the nearest float.
extension Float: JSONDefaultConvertible {
    /// The nearest float; a number that is too large is an error.
    public init(json: JSON) throws {
        let value = try json.double()
        let nearest = Float(json.rawText) ?? Float(value)
        guard nearest.isFinite, nearest != 0 || value == 0 else { throw json.outOfRange(expected: "a Float") }
        self = nearest
    }
}

/// A number of JSON, with all its digits.
extension Decimal: JSONDefaultConvertible {
    /// The exact number; one of more than 38 digits is an error.
    public init(json: JSON) throws {
        guard json.kind == .number else { throw json.mismatch(expected: "a number") }
        guard let value = NumberText(json.storage.text(json.storage.word(json.word))).decimal() else {
            throw json.outOfRange(expected: "a Decimal")
        }
        self = value
    }
}
