public import Foundation

/// Text as an attribute.
extension String: AttributeValue {
    /// String.
    @inlinable public static var attributeType: AttributeType { .string }
    /// The string, or an empty one if the slot is null.
    @inlinable
    @inline(__always)
    public static func read(_ row: Row, _ slot: Int) -> String {
        row.kind(slot) == .text ? row.text(slot) : row.fallback("", slot)
    }
    /// Stores the string unchanged.
    @inlinable
    @inline(__always)
    public func write(_ row: Row, _ slot: Int) { row.set(self, slot) }
    /// Compares bytes, so that canonically equivalent strings of different bytes are unequal.
    @inlinable
    @inline(__always)
    public func isEqual(_ row: Row, _ slot: Int) -> Bool {
        row.kind(slot) == .text && row.hasText(self, slot)
    }
}

/// A date as an attribute, stored as seconds since 1970.
extension Date: AttributeValue {
    /// Date.
    @inlinable public static var attributeType: AttributeType { .date }
    /// The date, or the start of 1970 if the slot is null.
    @inlinable
    @inline(__always)
    public static func read(_ row: Row, _ slot: Int) -> Date {
        Date(timeIntervalSince1970: row.kind(slot) == .double ? row.double(slot) : row.fallback(0, slot))
    }
    /// Stores the seconds since 1970.
    @inlinable
    public func write(_ row: Row, _ slot: Int) { row.set(timeIntervalSince1970, slot) }
    /// Compares values.
    @inlinable
    public func isEqual(_ row: Row, _ slot: Int) -> Bool {
        row.kind(slot) == .double && row.double(slot) == timeIntervalSince1970
    }
}

/// Bytes as an attribute.
extension Data: AttributeValue {
    /// Binary.
    @inlinable public static var attributeType: AttributeType { .binary }
    /// The data, or empty data if the slot is null.
    @inlinable
    @inline(__always)
    public static func read(_ row: Row, _ slot: Int) -> Data {
        row.kind(slot) == .data ? row.data(slot) : row.fallback(Data(), slot)
    }
    /// Stores the data unchanged.
    @inlinable
    public func write(_ row: Row, _ slot: Int) { row.set(self, slot) }
    /// Compares bytes.
    @inlinable
    public func isEqual(_ row: Row, _ slot: Int) -> Bool { row.kind(slot) == .data && row.data(slot) == self }
}

/// A UUID as an attribute.
extension UUID: AttributeValue {
    /// UUID.
    @inlinable public static var attributeType: AttributeType { .uuid }
    /// The UUID, or one of zeros if the slot is null.
    @inlinable
    @inline(__always)
    public static func read(_ row: Row, _ slot: Int) -> UUID {
        row.kind(slot) == .uuid
            ? row.uuid(slot) : row.fallback(UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)), slot)
    }
    /// Stores the UUID unchanged.
    @inlinable
    public func write(_ row: Row, _ slot: Int) { row.set(self, slot) }
    /// Compares bytes.
    @inlinable
    public func isEqual(_ row: Row, _ slot: Int) -> Bool { row.kind(slot) == .uuid && row.uuid(slot) == self }
}

/// A decimal number as an attribute, with all its digits.
extension Decimal: AttributeValue {
    /// Decimal.
    @inlinable public static var attributeType: AttributeType { .decimal }
    /// The number, or 0 if the slot is null.
    public static func read(_ row: Row, _ slot: Int) -> Decimal {
        Box<Decimal>.value(row, slot) ?? row.fallback(0, slot)
    }
    /// Stores the number; NaN is stored as null.
    public func write(_ row: Row, _ slot: Int) {
        if isNaN { row.clear(slot) } else { row.set(Box(self), slot) }
    }
    /// Compares values.
    public func isEqual(_ row: Row, _ slot: Int) -> Bool {
        isNaN ? row.kind(slot) == .null : Box<Decimal>.value(row, slot) == self
    }
}

/// An address as an attribute, stored as text.
extension URL: AttributeValue {
    /// URI.
    @inlinable public static var attributeType: AttributeType { .uri }
    /// The URL, or `file:///` if the slot is null.
    public static func read(_ row: Row, _ slot: Int) -> URL {
        Box<URL>.value(row, slot) ?? row.fallback(URL(filePath: "/"), slot)
    }
    /// Stores the URL unchanged.
    public func write(_ row: Row, _ slot: Int) { row.set(Box(self), slot) }
    /// Compares absolute strings.
    public func isEqual(_ row: Row, _ slot: Int) -> Bool {
        Box<URL>.value(row, slot)?.absoluteString == absoluteString
    }
}
