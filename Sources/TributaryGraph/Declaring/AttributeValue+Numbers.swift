/// A whole number of 64 bits as an attribute.
extension Int64: AttributeValue {
    /// Integer 64.
    @inlinable public static var attributeType: AttributeType { .integer64 }
    /// The number, or 0 if the slot is null.
    @inlinable
    @inline(__always)
    public static func read(_ row: Row, _ slot: Int) -> Int64 {
        row.kind(slot) == .integer ? row.integer(slot) : row.fallback(0, slot)
    }
    /// Stores the number unchanged.
    @inlinable
    public func write(_ row: Row, _ slot: Int) { row.set(self, slot) }
    /// Compares values.
    @inlinable
    public func isEqual(_ row: Row, _ slot: Int) -> Bool { row.kind(slot) == .integer && row.integer(slot) == self }
}

extension AttributeValue where Self: FixedWidthInteger & SignedInteger {
    /// The number, clamped if the stored one is out of range, or 0 if the slot is null.
    @inlinable
    @inline(__always)
    public static func read(_ row: Row, _ slot: Int) -> Self { Self(clamping: Int64.read(row, slot)) }
    /// Stores the number unchanged.
    @inlinable
    @inline(__always)
    public func write(_ row: Row, _ slot: Int) { row.set(Int64(self), slot) }
    /// Compares values.
    @inlinable
    @inline(__always)
    public func isEqual(_ row: Row, _ slot: Int) -> Bool { Int64(self).isEqual(row, slot) }
}

/// A whole number of 64 bits as an attribute.
extension Int: AttributeValue {
    /// Integer 64.
    @inlinable public static var attributeType: AttributeType { .integer64 }
    /// The number, or 0 if the slot is null.
    @inlinable
    @inline(__always)
    public static func read(_ row: Row, _ slot: Int) -> Int { Int(Int64.read(row, slot)) }
}

/// A whole number of 32 bits as an attribute.
extension Int32: AttributeValue {
    /// Integer 32.
    @inlinable public static var attributeType: AttributeType { .integer32 }
}

/// A whole number of 16 bits as an attribute.
extension Int16: AttributeValue {
    /// Integer 16.
    @inlinable public static var attributeType: AttributeType { .integer16 }
}

/// A Boolean value as an attribute, stored as 0 or 1.
extension Bool: AttributeValue {
    /// Boolean.
    @inlinable public static var attributeType: AttributeType { .boolean }
    /// Whether the stored number is not 0; false if the slot is null.
    @inlinable
    @inline(__always)
    public static func read(_ row: Row, _ slot: Int) -> Bool { Int64.read(row, slot) != 0 }
    /// Stores 1 or 0.
    @inlinable
    public func write(_ row: Row, _ slot: Int) { row.set(self ? 1 as Int64 : 0, slot) }
    /// Compares values.
    @inlinable
    public func isEqual(_ row: Row, _ slot: Int) -> Bool {
        row.kind(slot) == .integer && (row.integer(slot) != 0) == self
    }
}

/// A number as an attribute.
extension Double: AttributeValue {
    /// Double.
    @inlinable public static var attributeType: AttributeType { .double }
    /// The number, or 0 if the slot is null.
    @inlinable
    @inline(__always)
    public static func read(_ row: Row, _ slot: Int) -> Double {
        row.kind(slot) == .double ? row.double(slot) : row.fallback(0, slot)
    }
    /// Stores the number; NaN is stored as null, as in SQLite.
    @inlinable
    public func write(_ row: Row, _ slot: Int) {
        if isNaN { row.clear(slot) } else { row.set(self, slot) }
    }
    /// Compares values.
    @inlinable
    public func isEqual(_ row: Row, _ slot: Int) -> Bool {
        isNaN ? row.kind(slot) == .null : row.kind(slot) == .double && row.double(slot) == self
    }
}

/// A number as an attribute, with the precision of a float.
extension Float: AttributeValue {
    /// Float.
    @inlinable public static var attributeType: AttributeType { .float }
    /// The number, or 0 if the slot is null.
    @inlinable
    @inline(__always)
    public static func read(_ row: Row, _ slot: Int) -> Float { Float(Double.read(row, slot)) }
    /// Stores the number unchanged.
    @inlinable
    public func write(_ row: Row, _ slot: Int) { Double(self).write(row, slot) }
    /// Compares values.
    @inlinable
    public func isEqual(_ row: Row, _ slot: Int) -> Bool { Double(self).isEqual(row, slot) }
}
