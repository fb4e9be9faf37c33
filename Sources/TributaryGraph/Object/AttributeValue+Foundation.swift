#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

extension String: AttributeValue {
    /// String.
    @inlinable public static var attributeType: AttributeType { .string }
    /// The text, or none.
    @inlinable
    @inline(__always)
    public static func read(_ row: Row, _ slot: Int) -> String {
        row.kind(slot) == .text ? row.text(slot) : row.lacking("", slot)
    }
    /// As it is.
    @inlinable
    public func write(_ row: Row, _ slot: Int) { row.set(self, slot) }
    /// Byte by byte: texts that only look alike are two.
    public func isEqual(_ row: Row, _ slot: Int) -> Bool {
        row.kind(slot) == .text && row.hasText(self, slot)
    }
}

extension Date: AttributeValue {
    /// Date.
    @inlinable public static var attributeType: AttributeType { .date }
    /// The moment, or the start of 1970.
    @inlinable
    @inline(__always)
    public static func read(_ row: Row, _ slot: Int) -> Date {
        Date(timeIntervalSince1970: row.kind(slot) == .double ? row.double(slot) : row.lacking(0, slot))
    }
    /// Seconds since 1970.
    @inlinable
    public func write(_ row: Row, _ slot: Int) { row.set(timeIntervalSince1970, slot) }
    /// By value.
    @inlinable
    public func isEqual(_ row: Row, _ slot: Int) -> Bool {
        row.kind(slot) == .double && row.double(slot) == timeIntervalSince1970
    }
}

extension Data: AttributeValue {
    /// Binary.
    @inlinable public static var attributeType: AttributeType { .binary }
    /// The bytes, or none.
    @inlinable
    @inline(__always)
    public static func read(_ row: Row, _ slot: Int) -> Data {
        row.kind(slot) == .data ? row.data(slot) : row.lacking(Data(), slot)
    }
    /// As they are.
    @inlinable
    public func write(_ row: Row, _ slot: Int) { row.set(self, slot) }
    /// Byte by byte.
    @inlinable
    public func isEqual(_ row: Row, _ slot: Int) -> Bool { row.kind(slot) == .data && row.data(slot) == self }
}

extension UUID: AttributeValue {
    /// UUID.
    @inlinable public static var attributeType: AttributeType { .uuid }
    /// The UUID, or that of zeros.
    @inlinable
    @inline(__always)
    public static func read(_ row: Row, _ slot: Int) -> UUID {
        row.kind(slot) == .uuid
            ? row.uuid(slot) : row.lacking(UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)), slot)
    }
    /// As it is.
    @inlinable
    public func write(_ row: Row, _ slot: Int) { row.set(self, slot) }
    /// Byte by byte.
    @inlinable
    public func isEqual(_ row: Row, _ slot: Int) -> Bool { row.kind(slot) == .uuid && row.uuid(slot) == self }
}

extension Decimal: AttributeValue {
    /// Decimal.
    @inlinable public static var attributeType: AttributeType { .decimal }
    /// The number, or 0.
    public static func read(_ row: Row, _ slot: Int) -> Decimal {
        Box<Decimal>.value(row, slot) ?? row.lacking(0, slot)
    }
    /// As it is; what is no number is nothing.
    public func write(_ row: Row, _ slot: Int) {
        if isNaN { row.clear(slot) } else { row.set(Box(self), slot) }
    }
    /// By value.
    public func isEqual(_ row: Row, _ slot: Int) -> Bool {
        isNaN ? row.kind(slot) == .null : Box<Decimal>.value(row, slot) == self
    }
}

extension URL: AttributeValue {
    /// URI.
    @inlinable public static var attributeType: AttributeType { .uri }
    /// The URL, or that of the root of the file system.
    public static func read(_ row: Row, _ slot: Int) -> URL {
        Box<URL>.value(row, slot) ?? row.lacking(URL(filePath: "/"), slot)
    }
    /// As it is.
    public func write(_ row: Row, _ slot: Int) { row.set(Box(self), slot) }
    /// By its text.
    public func isEqual(_ row: Row, _ slot: Int) -> Bool {
        Box<URL>.value(row, slot)?.absoluteString == absoluteString
    }
}
